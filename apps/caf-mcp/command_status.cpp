#include "caf_mcp/messages/error_info.hpp"
#include "caf_mcp/messages/error_payload.hpp"
#include "caf_mcp/messages/json/compose.hpp"

#include "command.hpp"
#include "hub_session.hpp"
#include "json_text.hpp"
#include "list_command.hpp"
#include "nodes_session.hpp"
#include "printable.hpp"
#include "run.hpp"
#include "server_rows.hpp"

#include <CLI/CLI.hpp>
#include <boost/json/array.hpp>

#include <cstddef>

namespace caf_mcp::tool {

namespace {

std::string text_or_dash(std::string_view text) {
  return text.empty() ? "-" : one_line(text);
}

std::string number_or_dash(const boost::json::value& number) {
  return number.is_null() ? "-" : compact_json(number);
}

std::vector<std::string> row_of(const boost::json::object& status) {
  return {text_or_dash(text_at(status, "name")),
          one_line(text_at(status, "state")),
          text_or_dash(text_at(status, "era")),
          text_or_dash(text_at(status, "protocolVersion")),
          number_or_dash(status.at("pid")),
          number_or_dash(status.at("restarts")),
          one_line(text_at(object_at(status, "error"), "message"))};
}

class status_command final : public command {
public:
  void declare(CLI::App& app) override {
    app.add_flag(
      "--watch", watches_,
      "Print a line for each change of a server, until interrupted.");
    app.footer("caf-mcp --config mcp.json status\n"
               "caf-mcp --config mcp.json status --watch --json\n"
               "caf-mcp --node 10.0.0.7:4711 --node 10.0.0.8:4711 status");
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
      rows.push_back(to_payload(each));
    return with_member({}, "servers", compose_array(rows));
  }

  bool can_ask_nodes() const override {
    return true;
  }

  caf::error check_nodes() const override {
    if (watches_)
      return config_error("watch", "cannot be used with --node; it is for the "
                                   "servers of a configuration: --config FILE");
    return {};
  }

  caf::expected<payload> run_nodes(nodes_session& nodes) override {
    auto survey = nodes.ask(get_servers{});
    if (!survey)
      return std::move(survey.error());
    return rows_of_servers(*survey, nodes.server_name());
  }

  void print(const payload& result, text_output& out) const override {
    const auto& servers = array_at(as_object(result.value()), "servers");
    const auto has_nodes = is_of_many_nodes(result);
    std::vector<std::vector<std::string>> rows{
      {"NAME", "STATE", "ERA", "VERSION", "PID", "RESTARTS", "ERROR"}};
    for (const auto& each : servers)
      rows.push_back(row_of(as_object(each)));
    if (has_nodes) {
      rows.front().insert(rows.front().begin(), "NODE");
      for (std::size_t i = 0; i < servers.size(); ++i)
        rows[i + 1].insert(rows[i + 1].begin(),
                           one_line(text_at(as_object(servers[i]), "node")));
    }
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

  static void print_change(const server_status& status, output_format format) {
    const auto document = to_payload(status);
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
