// Exits with status 3 at once and leaves a process in its group, which goes to
// a session of its own on SIGTERM and lives on, as a daemon would.
//
//   test-leave_group PID-FILE
#include "mini_server.hpp"

#include <csignal>
#include <fstream>

namespace {

void go_away(int) {
  ::setsid();
}

[[noreturn]] void be_left_behind(int ready) {
  std::signal(SIGTERM, go_away);
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO, ready})
    ::close(fd);
  // Bounded, so that a failing test leaves nothing behind for ever.
  ::alarm(60);
  mini::hang();
}

} // namespace

int main(int argc, char** argv) {
  int ready[2];
  if (argc < 2 || ::pipe(ready) != 0)
    return 2;
  const auto pid = ::fork();
  if (pid == 0) {
    ::close(ready[0]);
    be_left_behind(ready[1]);
  }
  std::ofstream{argv[1]} << pid << '\n';
  ::close(ready[1]);
  char ignored = 0;
  while (::read(ready[0], &ignored, 1) < 0) {
  }
  return 3;
}
