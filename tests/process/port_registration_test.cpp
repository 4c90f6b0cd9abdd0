#include "tests/support/port_host.hpp"

#include <catch2/catch_test_macros.hpp>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <string>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <utility>

using namespace caf_mcp;
using namespace std::chrono_literals;
using tests::port_host;
using tests::server;

namespace {

/// Makes epoll_ctl(2) fail for one descriptor in the calling thread, and in
/// what it starts, as it does when fs.epoll.max_user_watches is used up.
void refuse_to_watch(int fd) {
  // The lower halves of the arguments, as on a little-endian machine.
  std::array<sock_filter, 8> code{{
    {BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(seccomp_data, nr)},
    {BPF_JMP | BPF_JEQ | BPF_K, 0, 5, SYS_epoll_ctl},
    {BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(seccomp_data, args) + 8},
    {BPF_JMP | BPF_JEQ | BPF_K, 0, 3, EPOLL_CTL_ADD},
    {BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(seccomp_data, args) + 16},
    {BPF_JMP | BPF_JEQ | BPF_K, 0, 1, static_cast<unsigned>(fd)},
    {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ERRNO | ENOSPC},
    {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW},
  }};
  sock_fprog program{static_cast<unsigned short>(code.size()), code.data()};
  ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

/// What became of a server, one of whose descriptors may not be watched.
struct outcome {
  bool has_started = false;
  std::string detail;
};

/// Starts a server on a loop that cannot watch `fd`, and stops it. The fixture
/// checks that no child, zombie or descriptor is left.
outcome start_without(int fd) {
  port_host app;
  app.on_loop([fd] { refuse_to_watch(fd); });
  auto options = server("test-spawn-grandchild");
  options.stdin_grace = 50ms;
  options.term_grace = 50ms;
  auto started = app.start(std::move(options));
  auto event = started.next();
  if (auto* end = std::get_if<port_closed>(&event)) {
    CHECK(end->reason.cause == close_cause::spawn_failed);
    return {false, end->reason.detail};
  }
  CHECK(std::holds_alternative<port_opened>(event));
  CHECK(started.stop());
  return {true, {}};
}

} // namespace

TEST_CASE("a server is stopped, and the error says so, whichever of its "
          "descriptors cannot be watched") {
  auto failures = 0;
  // Descriptors get the lowest number that is free.
  for (auto fd = 3; fd < 40; ++fd) {
    CAPTURE(fd);
    const auto seen = start_without(fd);
    if (seen.has_started)
      continue;
    ++failures;
    CHECK(seen.detail.ends_with("ing the process: No space left on device"));
  }
  // Its stdin, stdout, stderr and end, and those of its start.
  CHECK(failures > 4);
}
