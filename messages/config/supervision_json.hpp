#pragma once

#include "caf_mcp/messages/supervision.hpp"

#include <boost/json/object.hpp>
#include <caf/error.hpp>

#include <array>
#include <string_view>

namespace caf_mcp {

/// The keys of `supervision`, and of the `server_offer` in it, in an entry of a
/// configuration file.
inline constexpr std::array<std::string_view, 7> supervision_keys{
  "restart", "max_restarts", "restart_period", "start",
  "remote",  "tools",        "depends_on",
};

/// Moves the keys `remote` and `tools` from an entry of a configuration file
/// into `to`; all others stay. Fails with `config_invalid`, which names the
/// key, the value and what is allowed; other nodes are offered nothing then.
caf::error take_offer(server_offer& to, boost::json::object& entry);

/// Moves the keys of `supervision` but for the offer from an entry of a
/// configuration file into `to`; all others stay. Fails with `config_invalid`,
/// which names the key, the value and what is allowed.
caf::error take_supervision(supervision& to, boost::json::object& entry);

} // namespace caf_mcp
