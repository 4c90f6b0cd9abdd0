#include "tests/support/port_host.hpp"
#include "tests/support/wait_until.hpp"

#include <catch2/catch_test_macros.hpp>

#include <array>
#include <csignal>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace caf_mcp;
using tests::port_host;
using tests::server;

namespace {

/// Makes orphans children of this process, which can then see how they ended.
class orphanage {
public:
  orphanage() {
    ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  }

  ~orphanage() {
    ::prctl(PR_SET_CHILD_SUBREAPER, 0);
  }
};

/// The life of a host: it starts a server, tells its pid, and goes on.
[[noreturn]] void be_host(int report, const server_options& options) {
  try {
    port_host app;
    auto started = app.start(options);
    auto pid = started.opened();
    started.request(1, "ping"); // once answered, its signals are set up
    started.response();
    if (::write(report, &pid, sizeof(pid)) == sizeof(pid))
      for (;;)
        ::pause();
  } catch (...) {
    // the parent misses the report
  }
  ::_exit(1);
}

/// Runs a host in a process of its own, kills it, and returns how the server
/// ended (wait(2)); -1 if it did not.
int server_end_after_kill_of_host(const server_options& options) {
  orphanage adopt;
  std::array<int, 2> report{};
  REQUIRE(::pipe(report.data()) == 0);
  auto host = ::fork();
  if (host == 0)
    be_host(report[1], options);
  ::close(report[1]);
  std::int64_t pid = 0;
  auto count = ::read(report[0], &pid, sizeof(pid));
  ::close(report[0]);
  ::kill(host, SIGKILL);
  ::waitpid(host, nullptr, 0);
  REQUIRE(count == sizeof(pid));
  auto status = 0;
  auto ended = tests::wait_until([&] {
    return ::waitpid(static_cast<pid_t>(pid), &status, WNOHANG) == pid;
  });
  if (ended)
    return status;
  ::kill(static_cast<pid_t>(pid), SIGKILL);
  ::waitpid(static_cast<pid_t>(pid), nullptr, 0);
  return -1;
}

} // namespace

TEST_CASE("a server that ignores everything dies with its host, if it is to") {
  tests::leftover_check leftovers;
  auto options = server("test-ignore-term");
  options.on_host_death = host_death_policy::kill;
  auto status = server_end_after_kill_of_host(options);
  CHECK(WIFSIGNALED(status));
  CHECK(WTERMSIG(status) == SIGKILL);
}

TEST_CASE("a server that ignores the end of stdin dies with its host") {
  tests::leftover_check leftovers;
  auto status = server_end_after_kill_of_host(server("test-ignore-eof"));
  CHECK(WIFSIGNALED(status));
  CHECK(WTERMSIG(status) == SIGTERM);
}

TEST_CASE("a server is left to the end of its stdin, if it is to") {
  tests::leftover_check leftovers;
  auto options = server("test-slow-exit", {"50", "7"});
  options.on_host_death = host_death_policy::eof;
  auto status = server_end_after_kill_of_host(options);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 7);
}
