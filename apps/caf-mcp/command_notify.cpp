#include "client.hpp"
#include "raw_command.hpp"

#include <CLI/CLI.hpp>

namespace caf_mcp::tool {

namespace {

class notify_command final : public raw_command {
public:
  void declare(CLI::App& app) override {
    declare_message(app);
    app.footer("caf-mcp notify notifications/roots/list_changed -- "
               "./my-server");
  }

  caf::expected<payload> run(client& server) override {
    if (auto sent = server.ask(send_notification{method(), params()}); !sent)
      return sent.error();
    return payload{boost::json::object{}};
  }

  void print(const payload&, text_output&) const override {
    // It was sent; nothing comes back.
  }
};

} // namespace

std::unique_ptr<command> make_notify() {
  return std::make_unique<notify_command>();
}

} // namespace caf_mcp::tool
