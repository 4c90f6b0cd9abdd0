#include "caf_mcp/messages/json/json_writer.hpp"

#include "client.hpp"
#include "raw_command.hpp"

#include <CLI/CLI.hpp>

namespace caf_mcp::tool {

namespace {

class request_command final : public raw_command {
public:
  void declare(CLI::App& app) override {
    declare_message(app);
    app.footer("caf-mcp request tools/list -- ./my-server\n"
               "caf-mcp request tools/call name=echo "
               "arguments:='{\"message\": \"hi\"}' -- ./my-server");
  }

  caf::expected<payload> run(client& server) override {
    return server.ask(send_request{method(), params(), server.options()});
  }

  void print(const payload& result, text_output& out) const override {
    out.foreign(result.to_json(json_layout::indented));
  }
};

} // namespace

std::unique_ptr<command> make_request() {
  return std::make_unique<request_command>();
}

} // namespace caf_mcp::tool
