#pragma once

#include "caf_mcp/messages/json/payload.hpp"
#include "caf_mcp/messages/server_offer.hpp"

#include <functional>
#include <map>
#include <string>

namespace caf_mcp {

/// Returns the answer to `get_catalogue` without what `offers`, by the name of
/// the server, keeps from other nodes; a server that is not among them is left
/// out.
payload offered_catalogue(
  const payload& catalogue,
  const std::map<std::string, server_offer, std::less<>>& offers);

} // namespace caf_mcp
