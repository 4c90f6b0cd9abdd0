#include "log_actor.hpp"

#include <caf/actor_system.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <utility>

namespace caf_mcp::tool {

namespace {

log_listener::behavior_type
log_actor(log_listener::pointer, const std::shared_ptr<diagnostics>& console) {
  return {
    [console](const server_output& x) { console->add_output(x); },
  };
}

} // namespace

log_listener spawn_log_actor(caf::actor_system& system,
                             std::shared_ptr<diagnostics> console) {
  return system.spawn(log_actor, std::move(console));
}

} // namespace caf_mcp::tool
