#include "client.hpp"
#include "command.hpp"
#include "follow.hpp"
#include "json_text.hpp"

#include <CLI/CLI.hpp>

namespace caf_mcp::tool {

namespace {

void print_json(const boost::json::object& what, text_output& out) {
  out.foreign(compact_json(what));
}

void print_event(const server_event& event, text_output& out) {
  boost::json::object line{{"event", to_string(event.kind)}};
  if (!event.uri.empty())
    line.emplace("uri", event.uri);
  print_json(line, out);
}

class listen_command final : public command {
public:
  void declare(CLI::App& app) override {
    app.add_flag("--tools", filter_.tools, "Report changes of the tools.");
    app.add_flag("--prompts", filter_.prompts,
                 "Report changes of the prompts.");
    app.add_flag("--resources", filter_.resources,
                 "Report changes of the list of resources. Without any of "
                 "these four options: the three lists.");
    app
      .add_option("--uri", filter_.uris,
                  "Report changes of this resource; may be given more than "
                  "once.")
      ->type_name("URI")
      ->allow_extra_args(false);
    limits_.declare(app);
    app.footer("caf-mcp listen -- ./my-server\n"
               "caf-mcp listen --uri file:///etc/hosts --count 1 -- "
               "./my-server");
  }

  caf::error check() override {
    if (filter_ == listen_filter{})
      filter_ = {true, true, true, {}, {}};
    return limits_.check();
  }

  caf::expected<payload> run(client& server) override {
    return follow(server, filter_, limits_, print_event, print_json);
  }

  bool prints_itself() const override {
    return true;
  }

  void print(const payload&, text_output&) const override {
    // All was printed as it came.
  }

private:
  listen_filter filter_;
  follow_limits limits_;
};

} // namespace

std::unique_ptr<command> make_listen() {
  return std::make_unique<listen_command>();
}

} // namespace caf_mcp::tool
