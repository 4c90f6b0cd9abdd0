#pragma once

#include "caf_mcp/actors/port/log_queue.hpp"
#include "caf_mcp/actors/port/stderr_log.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace caf_mcp {

/// What a server's log actor is to get: the lines of stderr, and those of
/// stdout that are no messages. Hands them out one batch at a time, the next
/// when the actor has dealt with the last, so that a slow actor costs bounded
/// memory and a server that floods its stderr never waits.
class log_forwarder {
public:
  /// Who the lines are for.
  enum class receiver : std::uint8_t {
    /// It has dealt with all it got.
    idle,
    /// It has not yet answered for the last batch.
    busy,
    /// There is none; lines are dropped, only the end of stderr is kept.
    gone,
  };

  explicit log_forwarder(receiver first) noexcept : receiver_{first} {
    // nop
  }

  /// Reads what there is of stderr, a pipe that does not block, but not for
  /// ever from a server that floods it. Returns whether there may be more.
  bool read_stderr(int pipe);

  /// Takes note that no more of stderr is read: a last line without a newline
  /// counts.
  void end_stderr();

  void add_junk(std::vector<std::string> lines);

  /// Returns what is to be sent to the receiver now, if anything; it is busy
  /// until `on_answer`.
  std::optional<server_output> next();

  /// The receiver has dealt with what it got.
  void on_answer() noexcept {
    receiver_ = receiver::idle;
  }

  /// The receiver has failed or is dead.
  void on_lost() noexcept {
    receiver_ = receiver::gone;
  }

  /// Returns all that is queued, even while the receiver is busy: the end of a
  /// server's log is not held back.
  std::optional<server_output> last();

  /// See `stderr_log`.
  std::string tail() const {
    return stderr_.tail();
  }

private:
  void add_stderr(std::vector<std::string> lines);

  receiver receiver_;
  stderr_log stderr_;
  log_queue queue_;
};

} // namespace caf_mcp
