#pragma once

#include "caf_mcp/messages/option_choices.hpp"

#include <chrono>
#include <cstdint>

namespace caf_mcp {

/// What is done to make a server leave.
enum class stop_action : std::uint8_t {
  close_stdin,
  /// SIGTERM to the process group.
  terminate,
  /// SIGKILL to the process group.
  kill,
  /// Nothing more; the process is left running.
  give_up,
};

/// The steps of the shutdown sequence (MCP, Transports, stdio, Shutdown): what
/// to do, and how long to wait for the process group to end before the next.
class escalation {
public:
  struct step {
    stop_action action = stop_action::close_stdin;
    std::chrono::milliseconds wait{0};

    friend bool operator==(const step&, const step&) = default;
  };

  escalation(stop_policy policy, std::chrono::milliseconds stdin_grace,
             std::chrono::milliseconds term_grace) noexcept
    : policy_{policy}, stdin_grace_{stdin_grace}, term_grace_{term_grace} {
    // nop
  }

  /// Returns the first step, then, each time the wait of the last one was in
  /// vain, the next. `give_up` is the last.
  step next() noexcept;

private:
  stop_policy policy_;
  std::chrono::milliseconds stdin_grace_;
  std::chrono::milliseconds term_grace_;
  int steps_taken_ = 0;
};

/// How long the kernel gets to end a process group after SIGKILL. A process in
/// an uninterruptible system call may take longer; nobody can change that.
inline constexpr std::chrono::milliseconds kill_grace{1000};

} // namespace caf_mcp
