#pragma once

#include "caf_mcp/actors/port/outbound_queue.hpp"
#include "caf_mcp/actors/port/write_stall.hpp"
#include "caf_mcp/messages/port.hpp"
#include "caf_mcp/messages/server_options.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace caf_mcp {

/// Writes what waits for a server to its stdin, a pipe that does not block, and
/// tells a server that is slow from one that has stopped reading.
class input_writer {
public:
  using clock = write_stall::clock;

  enum class state : std::uint8_t {
    /// Nothing waits.
    drained,
    /// More can be written once the pipe is writable: it is full, or others of
    /// the loop are to have their turn.
    waiting,
    /// The server reads no more.
    lost,
  };

  explicit input_writer(const server_options& options)
    : queue_{options.max_unwritten_bytes}, stall_{options.write_stall} {
    // nop
  }

  void push(const port_write& message) {
    for (const auto& each : message.messages)
      queue_.push(each);
    messages_taken_ += message.messages.size();
  }

  /// Writes what the pipe takes, within a turn.
  state write(int pipe);

  /// Returns the answers to requests that could not be encoded since this was
  /// last asked for.
  std::vector<undecodable_message> take_refused() {
    return queue_.take_refused();
  }

  /// Returns when to call `has_stalled`, if too much waits and that was not
  /// planned yet. To be called after `push` and `write`.
  std::optional<clock::time_point> watch();

  /// Returns whether more than `max_unwritten_bytes` wait.
  bool is_watching() const noexcept {
    return stall_.is_watching();
  }

  /// Returns when to call `has_stalled` again while too much waits.
  clock::time_point next_look() const noexcept {
    return stall_.deadline();
  }

  /// Returns whether the server has taken no byte for `write_stall`, while too
  /// much waits.
  bool has_stalled() const noexcept {
    return stall_.has_stalled(clock::now());
  }

  /// Returns how many messages were pushed.
  std::uint64_t messages_taken() const noexcept {
    return messages_taken_;
  }

  /// Returns the ids of the requests of which nothing was written, in order.
  std::vector<std::int64_t> unsent() const {
    return queue_.unsent();
  }

private:
  outbound_queue queue_;
  write_stall stall_;
  std::uint64_t messages_taken_ = 0;
};

} // namespace caf_mcp
