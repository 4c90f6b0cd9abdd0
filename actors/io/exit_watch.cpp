#include "caf_mcp/actors/io/exit_watch.hpp"

#include "caf_mcp/actors/io/child_process.hpp"

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <system_error>
#include <thread>
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

/// Runs `work` in a thread that nobody waits for. Returns an errno, or 0.
template <class Work>
int run_in_background(Work work) {
  // Signals are for the threads of the host.
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  auto result = 0;
  try {
    std::thread{std::move(work)}.detach();
  } catch (const std::system_error& error) {
    result = error.code().value();
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return result;
}

unique_fd watch_by_thread(pid_t child) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0)
    return {};
  unique_fd read_end{ends[0]};
  unique_fd write_end{ends[1]};
  auto error = run_in_background(
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

void reap_in_background(pid_t child) {
  run_in_background([child] { reap(child); });
}

} // namespace caf_mcp
