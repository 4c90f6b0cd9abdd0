#include "caf_mcp/messages/server_offer.hpp"

#include <algorithm>

namespace caf_mcp {

namespace {

bool holds(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

} // namespace

bool offers_all_tools(const server_offer& offer) noexcept {
  return offer.remote && !offer.allow && offer.deny.empty();
}

bool offers_tool(const server_offer& offer, std::string_view name) {
  return offer.remote && !holds(offer.deny, name)
         && (!offer.allow || holds(*offer.allow, name));
}

} // namespace caf_mcp
