#pragma once

#include "caf_mcp/messages/option_choices.hpp"

#include <functional>
#include <map>
#include <mutex>
#include <shared_mutex>
#include <sys/types.h>

namespace caf_mcp {

/// The children of this process that were started by `spawn_child` and not
/// reaped, so that all of them can be ended when there is no time for the
/// shutdown of each. Any thread.
class live_children {
public:
  /// Returns those of this process.
  static live_children& of_process();

  /// Returns a lock to hold from before a child is started until it is added;
  /// it holds nothing if no more may be started.
  std::shared_lock<std::shared_mutex> admit();

  /// Adds a child that leads a group of its own.
  void add(pid_t pid, stop_policy policy);

  /// Calls `reap`, after which the number of the child may be another's, and
  /// forgets the child.
  void remove(pid_t pid, const std::function<void()>& reap);

  /// Sends SIGKILL to the groups of all children but those whose policy allows
  /// no signals, and admits no more. For a process that is about to end.
  void kill_all();

private:
  std::shared_mutex gate_;
  /// Guarded by `gate_`.
  bool is_closed_ = false;
  std::mutex mutex_;
  /// Guarded by `mutex_`.
  std::map<pid_t, stop_policy> children_;
};

} // namespace caf_mcp
