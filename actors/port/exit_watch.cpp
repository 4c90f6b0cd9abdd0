#include "caf_mcp/actors/port/exit_watch.hpp"

#include "caf_mcp/actors/port/background.hpp"
#include "caf_mcp/actors/port/child_process.hpp"

#include <cerrno>
#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace caf_mcp {

namespace {

void wait_for_end(pid_t child) {
  siginfo_t info{};
  while (::waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT)
           != 0
         && errno == EINTR) {
    // interrupted: again
  }
}

unique_fd watch_by_thread(pid_t child) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0)
    return {};
  unique_fd read_end{ends[0]};
  unique_fd write_end{ends[1]};
  const auto error = run_in_background(
    [child, end = std::move(write_end)] { wait_for_end(child); });
  if (error != 0) {
    read_end.reset();
    errno = error;
  }
  return read_end;
}

} // namespace

unique_fd watch_exit(pid_t child) {
  unique_fd pidfd{static_cast<int>(::syscall(SYS_pidfd_open, child, 0))};
  if (!pidfd && (errno == ENOSYS || errno == EPERM))
    return watch_by_thread(child);
  return pidfd;
}

void reap_in_background(pid_t child, unique_fd exit) {
  run_in_background(
    [child, exit = std::move(exit)] { reap(child, exit.get()); });
}

} // namespace caf_mcp
