#include "list_command.hpp"

#include "caf_mcp/messages/hub.hpp"
#include "caf_mcp/messages/json/compose.hpp"

#include "client.hpp"
#include "hub_session.hpp"
#include "json_text.hpp"
#include "nodes_session.hpp"
#include "server_rows.hpp"

#include <CLI/CLI.hpp>
#include <boost/json/array.hpp>

#include <algorithm>

namespace caf_mcp::tool {

namespace {

/// Says why a server is not in a list, or not as it is now; empty if it is.
std::string trouble_of(const boost::json::object& status) {
  const auto state = std::string{text_at(status, "state")};
  const auto why = std::string{text_at(object_at(status, "error"), "message")};
  const auto* stale = status.if_contains("stale");
  if (stale == nullptr || *stale != true)
    return {};
  if (state == to_string(server_state::ready))
    return " could not be listed: " + why;
  return " is " + state + (why.empty() ? ", not ready in time" : ": " + why);
}

bool is_startable(const boost::json::value& server) {
  const auto state = text_at(as_object(server), "state");
  return state == to_string(server_state::ready)
         || state == to_string(server_state::idle);
}

} // namespace

exit_status status_of_servers(const payload& result) {
  const auto servers = result.member("servers");
  auto is_one_up = true;
  if (const auto* by_name = servers.if_object())
    is_one_up
      = by_name->empty()
        || std::any_of(by_name->begin(), by_name->end(), [](const auto& each) {
             return is_startable(each.value());
           });
  else if (const auto* all = servers.value().if_array())
    is_one_up
      = all->empty() || std::any_of(all->begin(), all->end(), is_startable);
  return is_one_up ? exit_status::done : exit_status::no_connection;
}

void list_command::declare(CLI::App& app) {
  const auto name = app.get_name();
  app.footer("caf-mcp " + name
             + " -- npx -y @modelcontextprotocol/server-everything\n"
               "caf-mcp --config mcp.json --server files "
             + name + " --json\ncaf-mcp --config mcp.json " + name
             + "\ncaf-mcp --node 10.0.0.7:4711 --node 10.0.0.8:4711 " + name);
}

caf::expected<payload> list_command::run(client& server) {
  list_all message;
  message.kind = kind_;
  message.options = server.options();
  auto items = server.ask(message);
  if (!items)
    return std::move(items.error());
  return with_member({}, to_string(kind_), *items);
}

caf::expected<payload> list_command::run_hub(hub_session& servers,
                                             caf::timespan limit) {
  servers.wait_until_tried(limit);
  auto all = servers.ask(get_catalogue{});
  if (!all)
    return std::move(all.error());
  auto about = all->member("servers");
  for (const auto& each : as_object(about.value())) {
    if (auto trouble = trouble_of(as_object(each.value())); !trouble.empty())
      servers.warn(std::string{each.key()} + trouble);
  }
  auto kind = to_string(kind_);
  return with_member(with_member({}, kind, all->member(kind)), "servers",
                     about);
}

caf::expected<payload> list_command::run_nodes(nodes_session& nodes) {
  auto survey = nodes.ask(get_catalogue{});
  if (!survey)
    return std::move(survey.error());
  auto result = lists_of_nodes(*survey, kind_);
  for (const auto& each : array_at(as_object(result.value()), "servers")) {
    const auto& server = as_object(each);
    const auto node = std::string{text_at(server, "node")};
    if (text_at(server, "state") == unreachable)
      nodes.warn(node + ": "
                 + std::string{text_at(object_at(server, "error"), "message")});
    else if (const auto trouble = trouble_of(server); !trouble.empty())
      nodes.warn(std::string{text_at(server, "name")} + " at " + node
                 + trouble);
  }
  return result;
}

void list_command::print(const payload& result, text_output& out) const {
  const auto& items = array_at(as_object(result.value()), to_string(kind_));
  const auto has_nodes = is_of_many_nodes(result);
  auto is_first = true;
  for (const auto& item : items) {
    if (!is_first)
      out.line("");
    is_first = false;
    auto shown = as_object(item);
    if (!has_nodes)
      shown.erase("node"); // the server's own
    print_item(shown, out);
  }
}

} // namespace caf_mcp::tool
