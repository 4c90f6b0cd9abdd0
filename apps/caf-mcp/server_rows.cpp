#include "server_rows.hpp"

#include "caf_mcp/messages/error_payload.hpp"
#include "caf_mcp/messages/json/compose.hpp"

#include "json_text.hpp"

#include <boost/json/array.hpp>

#include <set>
#include <string>
#include <utility>
#include <vector>

namespace caf_mcp::tool {

namespace {

/// Calls `what` with each item of an array.
template <class Function>
void for_each(const payload& array, Function what) {
  if (const auto* items = array.value().if_array())
    for (const auto& each : *items)
      what(array.part(&each));
}

payload with_node(const payload& object, const payload& node) {
  return with_member(object, "node", node.member("node"));
}

/// The row of a node that has none of its servers to show.
payload row_without_server(const payload& node, const payload& error) {
  const payload row{boost::json::object{{"name", nullptr},
                                        {"state", unreachable},
                                        {"era", nullptr},
                                        {"protocolVersion", nullptr},
                                        {"pid", nullptr},
                                        {"restarts", nullptr},
                                        {"requests", nullptr},
                                        {"inFlight", nullptr}}};
  return with_node(with_member(row, "error", error), node);
}

payload no_such_server(std::string_view name) {
  return to_payload(
    describe(local_error(errc::not_found, "the node offers no server called \""
                                            + std::string{name} + '"')));
}

void add_items(std::vector<payload>& to, const payload& node,
               std::string_view kind) {
  for_each(node.member("catalogue").member(kind),
           [&](const payload& item) { to.push_back(with_node(item, node)); });
}

void add_servers(std::vector<payload>& to, const payload& node) {
  for (const auto& each :
       members_of(node.member("catalogue").member("servers")))
    to.push_back(
      with_node(with_member(each.value, "name", to_payload(each.key)), node));
}

} // namespace

payload rows_of_servers(const payload& survey, std::string_view name) {
  std::vector<payload> rows;
  for_each(survey, [&](const payload& node) {
    if (const auto error = node.member("error")) {
      rows.push_back(row_without_server(node, error));
      return;
    }
    auto is_found = name.empty();
    for_each(node.member("servers"), [&](const payload& server) {
      if (!name.empty() && server.string_member("name") != name)
        return;
      is_found = true;
      rows.push_back(with_node(server, node));
    });
    if (!is_found)
      rows.push_back(row_without_server(node, no_such_server(name)));
  });
  return with_member({}, "servers", compose_array(rows));
}

payload lists_of_nodes(const payload& survey, list_kind kind) {
  std::vector<payload> items;
  std::vector<payload> servers;
  for_each(survey, [&](const payload& node) {
    if (const auto error = node.member("error")) {
      servers.push_back(row_without_server(node, error));
      return;
    }
    add_items(items, node, to_string(kind));
    add_servers(servers, node);
  });
  return with_member(with_member({}, to_string(kind), compose_array(items)),
                     "servers", compose_array(servers));
}

bool is_of_many_nodes(const payload& result) {
  std::set<std::string_view> nodes;
  const auto servers = result.member("servers");
  if (const auto* all = servers.value().if_array())
    for (const auto& each : *all)
      if (const auto node = text_at(as_object(each), "node"); !node.empty())
        nodes.insert(node);
  return nodes.size() > 1;
}

} // namespace caf_mcp::tool
