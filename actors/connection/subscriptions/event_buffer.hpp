#pragma once

#include "caf_mcp/messages/subscriptions.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <set>
#include <string>
#include <utility>

namespace caf_mcp {

/// The events of one subscription between the server, which sends as it likes,
/// and the owner, who says how many it takes. Bounded; equal events that wait
/// are one event, except log messages.
class event_buffer {
public:
  explicit event_buffer(const listen_options& options)
    : waiting_max_{options.max_buffer},
      overflow_{options.overflow},
      credit_{options.credit} {
    // nop
  }

  /// Takes an event of the server. Returns false if there is no room and the
  /// policy is to close.
  bool push(server_event event);

  /// Lets `count` more events through.
  void grant(std::uint64_t count) noexcept;

  /// What the owner is to be told next.
  struct delivery {
    /// Events dropped before this one, and not told of yet.
    std::uint64_t dropped = 0;
    server_event event;
  };

  /// Takes the next event out, if there is one and credit for it.
  std::optional<delivery> next();

  /// Drops what waits. Returns how many were dropped and not told of.
  std::uint64_t drop_all();

  std::size_t waiting() const noexcept {
    return events_.size();
  }

private:
  using key = std::pair<event_kind, std::string>;

  server_event take_oldest();

  std::size_t waiting_max_;
  overflow_policy overflow_;
  std::uint64_t credit_;
  std::uint64_t dropped_ = 0;
  std::deque<server_event> events_;
  /// Those of `events_` that others can merge with.
  std::set<key> mergeable_;
};

} // namespace caf_mcp
