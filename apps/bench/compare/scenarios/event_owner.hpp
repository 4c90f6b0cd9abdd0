// An actor that owns a subscription.
#pragma once

#include "caf_mcp/actors/client.hpp"

#include <caf/actor_control_block.hpp>
#include <caf/actor_system.hpp>

#include <chrono>
#include <cstdint>
#include <future>

namespace bench {

/// How an owner treats events.
struct owner_habits {
  /// Events it is sent without asking.
  std::uint64_t credit = 1;
  /// It grants so many more whenever it has taken as many; 0: never.
  std::uint64_t grant = 1;
  /// It is busy so long with each.
  std::chrono::milliseconds work{0};
};

/// What an owner has heard of.
struct owner_tally {
  std::uint64_t events = 0;
  std::uint64_t dropped = 0;
};

/// A subscription and its owner.
class owned_subscription {
public:
  /// Returns when the server takes part. Throws `std::runtime_error` if it does
  /// not.
  owned_subscription(caf::actor_system& system, caf_mcp::connection server,
                     caf_mcp::listen_filter filter, const owner_habits& habits);

  /// Ends the subscription. Returns what the owner was told before its end.
  owner_tally end();

private:
  caf::scoped_actor self_;
  caf_mcp::connection server_;
  std::future<owner_tally> tally_;
  /// The connection does not keep it alive.
  caf_mcp::subscription_listener owner_;
  std::uint64_t id_ = 0;
};

} // namespace bench
