#pragma once

#include "caf_mcp/actors/io/unique_fd.hpp"
#include "caf_mcp/messages/close_reason.hpp"
#include "caf_mcp/messages/option_choices.hpp"

#include <optional>
#include <string>
#include <sys/types.h>
#include <variant>
#include <vector>

namespace caf_mcp {

/// What a child process is started from. Nothing in it is interpreted.
struct spawn_plan {
  /// Absolute path of the executable.
  std::string executable;
  /// The arguments behind `argv[0]`, which is the executable.
  std::vector<std::string> args;
  /// `NAME=value`, all of it.
  std::vector<std::string> environment;
  /// Working directory; absent: that of this process.
  std::optional<std::string> cd;
  stderr_kind stderr_to = stderr_kind::inherit;
  /// For `stderr_kind::file`.
  std::string stderr_file;
  host_death_policy on_host_death = host_death_policy::term;
};

/// A child that was started, leads its own process group and was not reaped.
/// The descriptors are close-on-exec and do not block.
struct child_process {
  /// Also the id of the process group. Stays valid, and nobody else's, until
  /// the child is reaped.
  pid_t pid = -1;
  /// Becomes readable when the child ends, see `watch_exit`.
  unique_fd exit;
  unique_fd stdin_pipe;
  unique_fd stdout_pipe;
  /// Set for `stderr_kind::capture` only.
  unique_fd stderr_pipe;
};

/// Starts a process without a shell and without copying this one's page tables
/// (vfork). It gets descriptors 0, 1 and 2 only, an empty signal mask and all
/// signals at their defaults. To be called from a thread that outlives the
/// child, for the parent-death signal is bound to it (prctl(2),
/// PR_SET_PDEATHSIG).
std::variant<child_process, close_reason> spawn_child(const spawn_plan& plan);

/// How a process ended.
struct exit_report {
  /// `exit_status` or `signal`.
  close_cause cause = close_cause::exit_status;
  int number = 0;
};

/// Returns how the child ended, without reaping it; nothing while it runs. If
/// this process lost the status, because it ignores SIGCHLD or reaped the child
/// elsewhere, reports exit status -1.
std::optional<exit_report> peek_exit(pid_t pid);

/// Reaps a child that has ended.
void reap(pid_t pid);

} // namespace caf_mcp
