#include "caf_mcp/actors/io/exit_watch.hpp"

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

unique_fd watch_by_thread(pid_t child) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0)
    return {};
  unique_fd read_end{ends[0]};
  unique_fd write_end{ends[1]};
  // Signals are for the threads of the host.
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  try {
    std::thread{[child, end = std::move(write_end)] {
      wait_for_end(child);
    }}.detach();
  } catch (const std::system_error& error) {
    read_end.reset();
    errno = error.code().value();
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return read_end;
}

} // namespace

unique_fd watch_exit(pid_t child) {
  unique_fd pidfd{static_cast<int>(::syscall(SYS_pidfd_open, child, 0))};
  if (!pidfd && (errno == ENOSYS || errno == EPERM))
    return watch_by_thread(child);
  return pidfd;
}

} // namespace caf_mcp
