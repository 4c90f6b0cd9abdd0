#include "caf_mcp/actors/hub/catalogue.hpp"

#include "caf_mcp/messages/error_info.hpp"
#include "caf_mcp/messages/error_payload.hpp"
#include "caf_mcp/messages/json/compose.hpp"
#include "caf_mcp/messages/qualified_name.hpp"

#include <boost/json/array.hpp>

#include <utility>

namespace caf_mcp {

namespace {

/// Returns the member that names an item of this kind.
std::string_view naming_member(list_kind kind) noexcept {
  switch (kind) {
    case list_kind::resources:
      return "uri";
    case list_kind::resource_templates:
      return "uriTemplate";
    default:
      return "name";
  }
}

/// Appends the items of one server; what has no name cannot be asked for.
void append_qualified(std::vector<payload>& to, std::string_view server,
                      list_kind kind, const payload& items) {
  const auto* list = items.value().if_array();
  if (list == nullptr)
    return;
  const auto key = naming_member(kind);
  for (const auto& item : *list) {
    const auto* object = item.if_object();
    const auto* name = object != nullptr ? object->if_contains(key) : nullptr;
    if (name == nullptr || !name->is_string())
      continue;
    to.push_back(
      with_member(items.part(&item), key,
                  to_payload(qualified_name(server, name->get_string()))));
  }
}

payload describe_server(const server_status& server, bool is_stale) {
  payload result{boost::json::value{{"state", to_string(server.state)},
                                    {"stale", is_stale},
                                    {"error", nullptr}}};
  return server.last_error ? with_member(
           result, "error", to_payload(describe(server.last_error)))
                           : result;
}

} // namespace

void catalogue::put(const std::string& server, list_kind kind, payload items) {
  lists_[server][kind] = std::move(items);
}

void catalogue::forget(std::string_view server) {
  if (auto found = lists_.find(server); found != lists_.end())
    lists_.erase(found);
}

payload catalogue::render(const std::vector<server_status>& servers,
                          const std::set<std::string>& fresh) const {
  std::vector<payload_member> result;
  for (auto kind : catalogue_kinds) {
    std::vector<payload> items;
    for (const auto& server : servers)
      if (auto found = lists_.find(server.name); found != lists_.end())
        if (auto list = found->second.find(kind); list != found->second.end())
          append_qualified(items, server.name, kind, list->second);
    result.push_back({std::string{to_string(kind)}, compose_array(items)});
  }
  std::vector<payload_member> about;
  for (const auto& server : servers)
    about.push_back(
      {server.name, describe_server(server, !fresh.contains(server.name))});
  result.push_back({"servers", compose_object(about)});
  return compose_object(result);
}

} // namespace caf_mcp
