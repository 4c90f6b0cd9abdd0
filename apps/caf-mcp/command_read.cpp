#include "caf_mcp/messages/methods.hpp"

#include "arguments.hpp"
#include "client.hpp"
#include "command.hpp"
#include "content.hpp"
#include "json_text.hpp"

#include <CLI/CLI.hpp>
#include <boost/json/array.hpp>

namespace caf_mcp::tool {

namespace {

class read_command final : public command {
public:
  void declare(CLI::App& app) override {
    app
      .add_option("URI", uri_,
                  "URI of the resource; SERVER/URI if no server is named "
                  "otherwise.")
      ->required();
    app.footer("caf-mcp read demo://greeting -- ./my-server");
  }

  std::optional<std::string> take_server() override {
    return take_server_name(uri_);
  }

  caf::expected<payload> run(client& server) override {
    return server.ask(read_resource(uri_, server.options()));
  }

  void print(const payload& result, text_output& out) const override {
    for (const auto& each : array_at(as_object(result.value()), "contents"))
      print_resource(as_object(each), out);
  }

private:
  std::string uri_;
};

} // namespace

std::unique_ptr<command> make_read() {
  return std::make_unique<read_command>();
}

} // namespace caf_mcp::tool
