// Starts a process of its own that ignores SIGTERM and outlives it, as npx and
// uvx do. It is in the same process group.
//
//   test-spawn_grandchild [--hold-stdout] [--pid-file FILE]
//
// --hold-stdout lets the grandchild keep the pipe to the client open.
// A tool call answers with the grandchild's pid; a call of the tool `leave`
// makes this process exit with status 3 and leaves the grandchild behind.
#include "mini_server.hpp"

#include <csignal>
#include <fstream>

namespace {

pid_t spawn_grandchild(bool holds_stdout) {
  const auto pid = ::fork();
  if (pid != 0)
    return pid;
  std::signal(SIGTERM, SIG_IGN);
  ::close(STDIN_FILENO);
  ::close(STDERR_FILENO);
  if (!holds_stdout)
    ::close(STDOUT_FILENO);
  // Bounded, so that a failing test leaves nothing behind for ever.
  ::sleep(60);
  ::_exit(0);
}

bool is_leave(const mini::message& call) {
  const auto* name = call.params.if_contains("name");
  return name != nullptr && *name == "leave";
}

} // namespace

int main(int argc, char** argv) {
  const auto pid
    = spawn_grandchild(mini::has_flag(argc, argv, "--hold-stdout"));
  for (int i = 1; i + 1 < argc; ++i)
    if (std::string_view{argv[i]} == "--pid-file")
      std::ofstream{argv[i + 1]} << pid << '\n';
  while (const auto call = mini::serve_until("tools/call")) {
    if (is_leave(*call))
      return 3;
    mini::reply(*call, mini::text_result(std::to_string(pid)));
  }
}
