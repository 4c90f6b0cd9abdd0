// What a scenario runs in.
#pragma once

#include "caf_mcp/actors/runtime.hpp"

#include "scenario.hpp"

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/scoped_actor.hpp>

namespace bench::instructions {

/// An actor system, a loop, and a connection that is ready. Throws
/// `std::runtime_error` if the server does not start.
class host {
public:
  explicit host(const scenario& what);

  /// Runs the scenario.
  void perform(const scenario& what);

  /// Waits until the loop is at rest: once it answers, it has come to the end
  /// of all that was before. instructions.py counts between two calls of this.
  void settle();

private:
  caf::actor_system_config config_;
  caf::actor_system system_;
  caf_mcp::runtime runtime_;
  caf::scoped_actor self_;
  caf_mcp::connection server_;
};

} // namespace bench::instructions
