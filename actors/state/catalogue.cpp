#include "caf_mcp/actors/state/catalogue.hpp"

#include "caf_mcp/messages/error_info.hpp"
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
void append_qualified(boost::json::array& to, std::string_view server,
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
    auto copy = *object;
    copy[key] = qualified_name(server, name->get_string());
    to.emplace_back(std::move(copy));
  }
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
  boost::json::object result;
  for (auto kind : catalogue_kinds) {
    boost::json::array items;
    for (const auto& server : servers)
      if (auto found = lists_.find(server.name); found != lists_.end())
        if (auto list = found->second.find(kind); list != found->second.end())
          append_qualified(items, server.name, kind, list->second);
    result[to_string(kind)] = std::move(items);
  }
  boost::json::object about;
  for (const auto& server : servers) {
    auto error = server.last_error
                   ? boost::json::value(to_json(describe(server.last_error)))
                   : boost::json::value{};
    about[server.name] = {{"state", to_string(server.state)},
                          {"stale", !fresh.contains(server.name)},
                          {"error", std::move(error)}};
  }
  result["servers"] = std::move(about);
  return payload{std::move(result)};
}

} // namespace caf_mcp
