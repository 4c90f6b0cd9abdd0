#pragma once

#include "caf_mcp/actors/port/unique_fd.hpp"
#include "caf_mcp/messages/close_reason.hpp"
#include "caf_mcp/messages/option_choices.hpp"

#include <map>
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
  /// Whether `live_children::kill_all` may kill it.
  stop_policy kill_policy = stop_policy::escalate;
  /// What errors show in place of values, as in `server_options`.
  std::map<std::string, std::string> as_written;
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

/// Stands for "no descriptor": a child is known by its pid alone. Its number
/// may be another's once somebody else in this process has reaped it, as a
/// `wait(-1)` does.
inline constexpr int no_exit_watch = -1;

/// Returns how the child ended, without reaping it; nothing while it runs. If
/// this process lost the status, because it ignores SIGCHLD or reaped the child
/// elsewhere, or a tracer keeps it (ptrace(2)), reports exit status -1. `exit`
/// is what `watch_exit` returned for the child; where that is a pidfd, no other
/// process is taken for it.
std::optional<exit_report> peek_exit(pid_t pid, int exit = no_exit_watch);

/// Reaps a child when it has ended; waits for that.
void reap(pid_t pid, int exit = no_exit_watch);

/// Reaps a child that has ended. Returns false, at once, if it cannot be reaped
/// yet: it runs, or a tracer has not let it go (ptrace(2)).
bool try_reap(pid_t pid, int exit = no_exit_watch);

/// Returns whether `pid`, and the group of that number, are still the child's:
/// it was not reaped, or it was by somebody else, and nobody has got its number
/// since. A group keeps its number from being used again.
bool owns_number(pid_t pid, int exit);

/// Sends a signal to the child itself, wherever its group is.
void signal_child(pid_t pid, int exit, int number);

/// Ends a child, with its group, that cannot be looked after.
void kill_and_reap(pid_t pid);

/// Returns the reason of a start that failed at `what`, with an errno.
close_reason failed_to_spawn(std::string what, int error);

} // namespace caf_mcp
