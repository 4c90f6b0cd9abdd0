#pragma once

#include "caf_mcp/actors/port/child_process.hpp"
#include "caf_mcp/messages/close_reason.hpp"

#include <cstdint>
#include <optional>

namespace caf_mcp {

/// What ended of a server, in which order, and so why it is lost. The exit and
/// the end of a pipe come in any order; a little time after the first makes the
/// reason the true one, and loses nothing that the server wrote.
class port_ending {
public:
  /// What is to be done when something has ended.
  enum class step : std::uint8_t {
    /// Nothing: the wait for the rest is on.
    wait,
    /// Begin to wait a little for the rest.
    linger,
    /// All has ended.
    close,
  };

  /// The process has ended.
  step on_exit(exit_report report) noexcept {
    exit_ = report;
    return on_end(report.cause);
  }

  /// There is no more output.
  step on_output_end() noexcept {
    output_has_ended_ = true;
    return on_end(close_cause::server_closed_stdout);
  }

  /// Nothing more can be written.
  step on_input_lost() noexcept {
    return on_end(close_cause::server_closed_stdin);
  }

  /// The notice of an exit may be late on a busy machine; this is the last look
  /// at it.
  void on_last_look(std::optional<exit_report> report) noexcept {
    if (!exit_)
      exit_ = report;
  }

  /// Returns whether something has ended.
  bool has_begun() const noexcept {
    return first_.has_value();
  }

  bool has_exited() const noexcept {
    return exit_.has_value();
  }

  /// Returns why the server is lost: an exit explains the end of a pipe.
  close_reason reason() const {
    close_reason result;
    result.cause = first_.value_or(close_cause::closed);
    if (exit_) {
      result.cause = exit_->cause;
      result.number = exit_->number;
    }
    return result;
  }

private:
  step on_end(close_cause cause) noexcept {
    const auto is_first = !first_;
    if (is_first)
      first_ = cause;
    if (exit_ && output_has_ended_)
      return step::close;
    return is_first ? step::linger : step::wait;
  }

  std::optional<close_cause> first_;
  std::optional<exit_report> exit_;
  bool output_has_ended_ = false;
};

} // namespace caf_mcp
