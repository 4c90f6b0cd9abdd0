#pragma once

#include "caf_mcp/messages/close_reason.hpp"
#include "caf_mcp/messages/supervision.hpp"

#include <chrono>
#include <cstdint>
#include <deque>

namespace caf_mcp {

/// What becomes of a supervised server that was lost.
enum class restart_decision : std::uint8_t {
  /// Start it again, after a pause.
  restart,
  /// Leave it at that: its policy says so.
  stop,
  /// It was lost too often.
  give_up,
};

/// Applies the restart policy and the intensity of one server: `max_restarts`
/// within `restart_period`, counted over a sliding window, as Erlang's
/// supervisors do for all their children together. Here each server has a
/// window of its own, so that one that crashes in a loop harms no other.
class restart_rules {
public:
  using clock = std::chrono::steady_clock;

  explicit restart_rules(const supervision& policy) : policy_{policy} {
    // nop
  }

  /// The server was lost for `reason`, or did not become ready. That this
  /// process could not start it for want of descriptors, processes or memory is
  /// not counted.
  restart_decision on_lost(const close_reason& reason, clock::time_point now);

private:
  supervision policy_;
  /// When it was restarted, oldest first; none older than the period.
  std::deque<clock::time_point> restarts_;
};

} // namespace caf_mcp
