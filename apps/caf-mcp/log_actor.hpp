#pragma once

#include "caf_mcp/actors/interfaces.hpp"

#include "diagnostics.hpp"

#include <caf/fwd.hpp>

#include <memory>

namespace caf_mcp::tool {

/// Spawns the actor that hands what the server writes beside its
/// messages to `console`. Links and
/// monitors nobody; lives as long as the connection that writes to it.
log_listener spawn_log_actor(caf::actor_system& system,
                             std::shared_ptr<diagnostics> console);

} // namespace caf_mcp::tool
