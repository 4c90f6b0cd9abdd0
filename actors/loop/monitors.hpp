#pragma once

#include "caf_mcp/actors/loop/caf_version.hpp"

#include <caf/actor_addr.hpp>
#include <caf/actor_cast.hpp>
#include <caf/actor_control_block.hpp>
#include <caf/error.hpp>

#include <unordered_map>
#include <utility>

namespace caf_mcp {

/// The actors that an actor monitors: each once, however often it is asked for,
/// since CAF sends a down message for every monitor.
class monitors {
public:
  /// Has `self` monitor `whom`; `on_down(address)` is called when it is down,
  /// and calls `forget`.
  template <class Self, class OnDown>
  void add(Self* self, const caf::strong_actor_ptr& whom, OnDown on_down) {
    auto address = caf::actor_cast<caf::actor_addr>(whom);
    if (watched_.contains(address))
      return;
    watched_.emplace(
      address,
      caf_version::watch(self, whom,
                         [on_down](const caf::actor_addr& source,
                                   const caf::error&) { on_down(source); }));
  }

  /// An actor is down: it has no monitor any more.
  void forget(const caf::actor_addr& whom) {
    watched_.erase(whom);
  }

  /// Ends all monitors.
  template <class Self>
  void release_all(Self* self) {
    for (auto& [address, monitor] : std::exchange(watched_, {}))
      caf_version::unwatch(self, address, monitor);
  }

private:
  std::unordered_map<caf::actor_addr, caf_version::monitor> watched_;
};

} // namespace caf_mcp
