#include "caf_mcp/actors/port/live_children.hpp"

#include <csignal>

namespace caf_mcp {

live_children& live_children::of_process() {
  // Threads that reap in the background may outlive what is static.
  static auto& all = *new live_children;
  return all;
}

std::shared_lock<std::shared_mutex> live_children::admit() {
  std::shared_lock lock{gate_};
  if (is_closed_)
    lock.unlock();
  return lock;
}

void live_children::add(pid_t pid, stop_policy policy) {
  const std::lock_guard guard{mutex_};
  children_.insert_or_assign(pid, policy);
}

void live_children::remove(pid_t pid, const std::function<void()>& reap) {
  const std::lock_guard guard{mutex_};
  reap();
  children_.erase(pid);
}

void live_children::kill_all() {
  const std::unique_lock closed{gate_};
  is_closed_ = true;
  const std::lock_guard guard{mutex_};
  for (const auto& [pid, policy] : children_)
    if (policy == stop_policy::escalate)
      ::kill(-pid, SIGKILL);
}

} // namespace caf_mcp
