#include "caf_mcp/actors/hub/catalogue.hpp"

#include "caf_mcp/messages/error_info.hpp"
#include "caf_mcp/messages/error_payload.hpp"
#include "caf_mcp/messages/json/compose.hpp"
#include "caf_mcp/messages/qualified_name.hpp"

#include <boost/json/array.hpp>

#include <algorithm>
#include <utility>

namespace caf_mcp {

namespace {

std::size_t index_of(list_kind kind) noexcept {
  return static_cast<std::size_t>(kind);
}

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

/// Returns the items of one server; what has no name cannot be asked for.
catalogue_list qualified(std::string_view server, list_kind kind,
                         const payload& items) {
  auto result = std::make_shared<std::vector<catalogue_item>>();
  const auto* array = items.value().if_array();
  if (array == nullptr)
    return result;
  const auto key = naming_member(kind);
  for (const auto& item : *array) {
    const auto* object = item.if_object();
    const auto* name = object != nullptr ? object->if_contains(key) : nullptr;
    if (name == nullptr || !name->is_string())
      continue;
    auto full_name = qualified_name(server, name->get_string());
    auto renamed = with_member(items.part(&item), key, to_payload(full_name));
    result->push_back({std::move(full_name), std::move(renamed)});
  }
  return result;
}

payload describe_server(const server_status& server,
                        const catalogue_offer& offer) {
  payload result{boost::json::value{{"state", to_string(server.state)},
                                    {"stale", offer.is_stale},
                                    {"error", nullptr}}};
  return offer.error
           ? with_member(result, "error", to_payload(describe(offer.error)))
           : result;
}

} // namespace

catalogue::ticket catalogue::begin(const std::string& server, list_kind kind) {
  auto [found, is_new] = servers_.try_emplace(server);
  if (is_new)
    found->second.generation = ++last_generation_;
  return {server, kind, found->second.generation, ++last_number_};
}

void catalogue::put(const ticket& begun, const payload& items) {
  auto* known = find(begun);
  if (known == nullptr)
    return;
  known->items = qualified(begun.server, begun.kind, items);
  known->number = begun.number;
  known->has_answered = true;
  known->error = {};
}

void catalogue::fail(const ticket& begun, const caf::error& error) {
  auto* known = find(begun);
  if (known == nullptr)
    return;
  known->number = begun.number;
  known->has_answered = true;
  known->error = error;
}

void catalogue::lose(std::string_view server) {
  doubt(server);
  if (const auto found = servers_.find(server); found != servers_.end())
    found->second.generation = ++last_generation_;
}

void catalogue::doubt(std::string_view server) {
  const auto found = servers_.find(server);
  if (found == servers_.end())
    return;
  for (auto& each : found->second.lists) {
    each.has_answered = false;
    each.error = {};
  }
}

void catalogue::forget(std::string_view server) {
  if (const auto found = servers_.find(server); found != servers_.end())
    servers_.erase(found);
}

bool catalogue::is_current(const ticket& begun) const {
  const auto* known = find(begun.server);
  return known != nullptr && known->generation == begun.generation;
}

bool catalogue::was_listed(std::string_view server) const {
  const auto* known = find(server);
  return known != nullptr
         && std::all_of(known->lists.begin(), known->lists.end(),
                        [](const list& x) { return x.has_answered; });
}

catalogue_offer catalogue::offer_of(const server_status& server) const {
  catalogue_offer result;
  const auto* known = find(server.name);
  if (known != nullptr)
    for (std::size_t i = 0; i < known->lists.size(); ++i)
      result.lists[i] = known->lists[i].items;
  if (server.state != server_state::ready) {
    result.error = server.last_error;
    return result;
  }
  if (known != nullptr)
    for (const auto& each : known->lists)
      if (each.error) {
        result.error = each.error;
        return result;
      }
  result.is_stale = !was_listed(server.name);
  return result;
}

payload catalogue::render(const std::vector<server_status>& servers) const {
  std::vector<std::vector<payload>> items{catalogue_kinds.size()};
  std::vector<payload_member> about;
  for (const auto& server : servers) {
    const auto offer = offer_of(server);
    about.push_back({server.name, describe_server(server, offer)});
    for (std::size_t i = 0; i < items.size(); ++i)
      if (offer.lists[i])
        for (const auto& each : *offer.lists[i])
          items[i].push_back(each.item);
  }
  std::vector<payload_member> result;
  for (auto kind : catalogue_kinds)
    result.push_back(
      {std::string{to_string(kind)}, compose_array(items[index_of(kind)])});
  result.push_back({"servers", compose_object(about)});
  return compose_object(result);
}

const catalogue::server_lists* catalogue::find(std::string_view server) const {
  const auto found = servers_.find(server);
  return found != servers_.end() ? &found->second : nullptr;
}

catalogue::list* catalogue::find(const ticket& begun) {
  if (!is_current(begun))
    return nullptr;
  auto& result
    = servers_.find(begun.server)->second.lists[index_of(begun.kind)];
  return result.number < begun.number ? &result : nullptr;
}

} // namespace caf_mcp
