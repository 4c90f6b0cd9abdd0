#include "caf_mcp/messages/error_payload.hpp"
#include "caf_mcp/messages/json/compose.hpp"

#include "command.hpp"
#include "hub_session.hpp"
#include "json_text.hpp"
#include "list_command.hpp"
#include "printable.hpp"
#include "run.hpp"

#include <CLI/CLI.hpp>
#include <boost/json/array.hpp>

namespace caf_mcp::tool {

namespace {

std::string text_or_dash(std::string_view text) {
  return text.empty() ? "-" : one_line(text);
}

std::vector<std::string> row_of(const boost::json::object& status) {
  const auto& pid = status.at("pid");
  return {one_line(text_at(status, "name")),
          one_line(text_at(status, "state")),
          text_or_dash(text_at(status, "era")),
          text_or_dash(text_at(status, "protocolVersion")),
          pid.is_null() ? "-" : compact_json(pid),
          compact_json(status.at("restarts")),
          one_line(text_at(object_at(status, "error"), "message"))};
}

class status_command final : public command {
public:
  void declare(CLI::App& app) override {
    app.add_flag(
      "--watch", watches_,
      "Print a line for each change of a server, until interrupted.");
    app.footer("caf-mcp --config mcp.json status\n"
               "caf-mcp --config mcp.json status --watch --json");
  }

  command_scope scope() const override {
    return command_scope::hub;
  }

  bool has_time_limit() const override {
    return !watches_;
  }

  bool prints_itself() const override {
    return watches_;
  }

  exit_status status(const payload& result) const override {
    return status_of_servers(result);
  }

  caf::expected<payload> run_hub(hub_session& servers,
                                 caf::timespan limit) override {
    while (watches_)
      if (auto status = servers.next_change_to_print())
        print_change(*status, servers.format());
      else
        return payload{};
    servers.wait_until_settled(limit);
    auto all = servers.ask(get_servers{});
    if (!all)
      return std::move(all.error());
    std::vector<payload> rows;
    for (const auto& each : *all)
      rows.push_back(document_of(each));
    return with_member({}, "servers", compose_array(rows));
  }

  void print(const payload& result, text_output& out) const override {
    const auto& servers = array_at(as_object(result.value()), "servers");
    std::vector<std::vector<std::string>> rows{
      {"NAME", "STATE", "ERA", "VERSION", "PID", "RESTARTS", "ERROR"}};
    for (const auto& each : servers)
      rows.push_back(row_of(as_object(each)));
    out.table("", rows);
    for (const auto& each : servers)
      print_last_words(as_object(each), out);
  }

private:
  static void print_last_words(const boost::json::object& status,
                               text_output& out) {
    const auto& error = object_at(status, "error");
    const auto tail = text_at(object_at(error, "data"), "stderr_tail");
    if (tail.empty())
      return;
    out.line("");
    out.line(one_line(text_at(status, "name")) + ": last output on stderr");
    out.indented("    ", tail);
  }

  /// As `to_json`; the error of a server keeps the digits of its numbers.
  static payload document_of(const server_status& status) {
    payload result{boost::json::value(to_json(status))};
    if (!status.last_error)
      return result;
    return with_member(result, "error",
                       to_payload(describe(status.last_error)));
  }

  static void print_change(const server_status& status, output_format format) {
    const auto document = document_of(status);
    if (format == output_format::json) {
      write_stdout(document.to_json() + '\n');
      return;
    }
    std::string line;
    for (const auto& cell : row_of(as_object(document.value())))
      line += (line.empty() ? "" : "  ") + cell;
    write_stdout(line + '\n');
  }

  bool watches_ = false;
};

} // namespace

std::unique_ptr<command> make_status() {
  return std::make_unique<status_command>();
}

} // namespace caf_mcp::tool
