#include "caf_mcp/actors/nodes/offered_tools.hpp"

#include "caf_mcp/messages/error_info.hpp"
#include "caf_mcp/messages/json/compose.hpp"
#include "caf_mcp/messages/json/utf8.hpp"

#include <boost/json/array.hpp>

#include <string>
#include <vector>

namespace caf_mcp {

caf::error offered_tools::check(std::string_view method,
                                const payload& params) const {
  if (method != "tools/call" || offers_all_tools(offer_))
    return {};
  const auto member = params.member("name");
  // A server may take ["x"] for "x".
  if (member && !member.value().is_string())
    return config_error("name", "must be a string, the name of a tool");
  const auto name = params.string_member("name");
  if (offers_tool(offer_, name))
    return {};
  return local_error(errc::not_found, "the node does not offer the tool \""
                                        + to_valid_utf8(std::string{name})
                                        + '"');
}

payload offered_tools::in_result(const payload& result) const {
  const auto tools = result.member("tools");
  if (!tools || offers_all_tools(offer_))
    return result;
  return with_member(result, "tools", in_list(tools));
}

payload offered_tools::in_list(const payload& tools) const {
  const auto* items = tools.value().if_array();
  if (items == nullptr || offers_all_tools(offer_))
    return tools;
  std::vector<payload> kept;
  for (const auto& item : *items)
    if (auto tool = tools.part(&item);
        offers_tool(offer_, tool.string_member("name")))
      kept.push_back(std::move(tool));
  return compose_array(kept);
}

} // namespace caf_mcp
