#include "caf_mcp/actors/hub/catalogue_watch.hpp"

#include <set>
#include <string_view>

namespace caf_mcp {

namespace {

using items_by_name = std::map<std::string_view, const payload*>;

/// The first of those that a server gives the same name.
items_by_name by_name(const catalogue_list& list) {
  items_by_name result;
  if (list)
    for (const auto& each : *list)
      result.emplace(each.name, &each.item);
  return result;
}

/// Appends what differs between two lists of one kind.
void compare(std::vector<item_changed>& to, list_kind kind,
             const catalogue_list& told, const catalogue_list& now) {
  if (told == now)
    return;
  auto before = by_name(told);
  std::set<std::string_view> seen;
  if (now)
    for (const auto& each : *now) {
      if (!seen.insert(each.name).second)
        continue;
      const auto known = before.extract(each.name);
      if (known.empty())
        to.push_back({kind, item_change::added, each.name, each.item});
      // As text, for numbers count to the last digit.
      else if (known.mapped()->to_json() != each.item.to_json())
        to.push_back({kind, item_change::changed, each.name, each.item});
    }
  for (const auto& [name, item] : before)
    to.push_back({kind, item_change::removed, std::string{name}, {}});
}

bool is_same_state(const catalogue_offer& x, const catalogue_offer& y) {
  return x.is_stale == y.is_stale
         && caf::to_string(x.error) == caf::to_string(y.error);
}

offer_changed change(const std::string& server, const catalogue_offer& told,
                     const catalogue_offer& now) {
  offer_changed result;
  result.server = server;
  result.is_stale = now.is_stale;
  result.error = now.error;
  for (std::size_t i = 0; i < catalogue_kinds.size(); ++i)
    compare(result.items, catalogue_kinds[i], told.lists[i], now.lists[i]);
  return result;
}

} // namespace

std::optional<catalogue_changed>
catalogue_watch::next(const catalogue_offers& now) {
  if (is_behind_)
    return std::nullopt;
  auto result = changes_to(now);
  if (result.servers.empty() && has_begun_)
    return std::nullopt;
  has_begun_ = true;
  is_behind_ = true;
  return result;
}

catalogue_changed catalogue_watch::changes_to(const catalogue_offers& now) {
  catalogue_changed result;
  auto before = std::exchange(told_, {});
  for (const auto& [server, offer] : now) {
    const auto known = before.extract(server);
    const auto is_new = known.empty();
    const auto told = is_new ? catalogue_offer{} : known.mapped();
    auto changed = change(server, told, offer);
    if (is_new || !changed.items.empty() || !is_same_state(told, offer))
      result.servers.push_back(std::move(changed));
    told_.emplace(server, offer);
  }
  for (const auto& [server, told] : before) {
    auto& gone = result.servers.emplace_back(change(server, told, {}));
    gone.is_gone = true;
  }
  return result;
}

} // namespace caf_mcp
