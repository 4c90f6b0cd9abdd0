#pragma once

#include <chrono>
#include <optional>

namespace caf_mcp {

/// Tells a server that is slow from one that has stopped reading: how long it
/// has taken no byte while too much waits for it.
class write_stall {
public:
  using clock = std::chrono::steady_clock;

  explicit write_stall(clock::duration limit) noexcept : limit_{limit} {
    // nop
  }

  /// Too much waits from now on. Returns when to call `has_stalled`; nothing if
  /// too much waited already, so that it was planned before.
  std::optional<clock::time_point> begin(clock::time_point now) noexcept {
    if (since_)
      return std::nullopt;
    since_ = now;
    return now + limit_;
  }

  /// Returns whether too much waits.
  bool is_watching() const noexcept {
    return since_.has_value();
  }

  /// The server has taken at least a byte.
  void progress(clock::time_point now) noexcept {
    if (since_)
      since_ = now;
  }

  /// No longer too much waits.
  void end() noexcept {
    since_.reset();
  }

  /// Returns whether the server has stalled.
  bool has_stalled(clock::time_point now) const noexcept {
    return since_ && now >= *since_ + limit_;
  }

  /// Returns when to call `has_stalled` next.
  clock::time_point deadline() const noexcept {
    return *since_ + limit_;
  }

private:
  clock::duration limit_;
  /// When the server last took something, or too much began to wait.
  std::optional<clock::time_point> since_;
};

} // namespace caf_mcp
