#include "caf_mcp/actors/nodes/offered_catalogue.hpp"

#include "caf_mcp/messages/json/compose.hpp"
#include "caf_mcp/messages/qualified_name.hpp"
#include "caf_mcp/messages/requests.hpp"

#include <boost/json/array.hpp>

#include <string_view>
#include <vector>

namespace caf_mcp {

namespace {

using offer_table = std::map<std::string, server_offer, std::less<>>;

bool is_remote(const offer_table& offers, std::string_view server) {
  const auto found = offers.find(server);
  return found != offers.end() && found->second.remote;
}

std::string_view naming_member(std::string_view list) noexcept {
  if (list == to_string(list_kind::resources))
    return "uri";
  if (list == to_string(list_kind::resource_templates))
    return "uriTemplate";
  return "name";
}

payload offered_items(std::string_view list, const payload& items,
                      const offer_table& offers) {
  const auto* all = items.value().if_array();
  if (all == nullptr)
    return {};
  const auto is_tools = list == to_string(list_kind::tools);
  std::vector<payload> kept;
  for (const auto& each : *all) {
    auto item = items.part(&each);
    const auto name
      = split_qualified_name(item.string_member(naming_member(list)));
    if (name && is_remote(offers, name->server)
        && (!is_tools
            || offers_tool(offers.find(name->server)->second, name->item)))
      kept.push_back(std::move(item));
  }
  return compose_array(kept);
}

payload offered_servers(const payload& servers, const offer_table& offers) {
  auto members = members_of(servers);
  std::erase_if(members, [&offers](const payload_member& each) {
    return !is_remote(offers, each.key);
  });
  return compose_object(members);
}

} // namespace

payload offered_catalogue(const payload& catalogue, const offer_table& offers) {
  auto members = members_of(catalogue);
  for (auto& each : members)
    each.value = each.key == "servers"
                   ? offered_servers(each.value, offers)
                   : offered_items(each.key, each.value, offers);
  return compose_object(members);
}

} // namespace caf_mcp
