#include "caf_mcp/messages/error_info.hpp"

#include "client.hpp"
#include "command.hpp"
#include "follow.hpp"
#include "json_text.hpp"

#include <CLI/CLI.hpp>

namespace caf_mcp::tool {

namespace {

void print_json(const server_event& event, text_output& out) {
  out.foreign(event.params.to_json());
}

/// Prints `LEVEL LOGGER: DATA`.
void print_text(const server_event& event, text_output& out) {
  const auto& message = as_object(event.params.value());
  std::string line{text_at(message, "level")};
  if (const auto logger = text_at(message, "logger"); !logger.empty())
    line += ' ' + std::string{logger};
  line += ": ";
  if (const auto data = event.params.member("data"))
    line += data.value().is_string() ? std::string{data.value().get_string()}
                                     : data.to_json();
  out.foreign(line);
}

/// Of the subscription only losses are of interest.
void print_notice(const boost::json::object& what, text_output& out) {
  if (text_at(what, "event") == "dropped")
    out.line(compact_json(what));
}

/// MCP 2026-07-28, Logging: a server logs for requests that ask for it; this
/// command sends none.
void warn_of_silence(client& server) {
  auto session = server.ask(get_session{});
  if (session && session->era == era::modern)
    server.console().warn("a modern server logs only for requests; "
                          "`--mode legacy` may show more");
}

class logs_command final : public command {
public:
  void declare(CLI::App& app) override {
    app
      .add_option("--level", level_name_,
                  "The least severe to print: debug, info, notice, warning, "
                  "error, critical, alert or emergency. Default: info.")
      ->type_name("LEVEL");
    limits_.declare(app);
    app.footer("caf-mcp logs --level debug -- ./my-server\n"
               "caf-mcp logs --for 60000 --json -- ./my-server");
  }

  caf::error check() override {
    level_ = enum_from_name<log_level>(level_name_);
    if (!level_)
      return config_error("level", "is \"" + level_name_
                                     + "\"; must be debug, info, notice, "
                                       "warning, error, critical, alert or "
                                       "emergency");
    return limits_.check();
  }

  caf::expected<payload> run(client& server) override {
    listen_filter filter;
    filter.log = level_;
    warn_of_silence(server);
    const auto is_json = server.format() == output_format::json;
    return follow(server, filter, limits_, is_json ? print_json : print_text,
                  print_notice);
  }

  bool prints_itself() const override {
    return true;
  }

  void print(const payload&, text_output&) const override {
    // All was printed as it came.
  }

private:
  std::string level_name_ = "info";
  std::optional<log_level> level_;
  follow_limits limits_;
};

} // namespace

std::unique_ptr<command> make_logs() {
  return std::make_unique<logs_command>();
}

} // namespace caf_mcp::tool
