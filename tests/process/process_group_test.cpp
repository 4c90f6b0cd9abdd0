#include "caf_mcp/actors/port/process_group.hpp"

#include "caf_mcp/actors/port/child_process.hpp"

#include "tests/support/leftovers.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/scratch_directory.hpp"
#include "tests/support/wait_until.hpp"

#include <catch2/catch_test_macros.hpp>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sys/resource.h>

using namespace caf_mcp;
using tests::wait_until;

namespace {

using kind = group_members::kind;

const group_members nobody{kind::none, 0};

group_members members_of(pid_t pgid, const std::string& proc = "/proc") {
  return scan_groups({pgid}, proc).at(0);
}

/// A leader with one process more in its group.
class family {
  tests::leftover_check leftovers_;
  tests::scratch_directory directory_;

public:
  explicit family(const std::string& executable
                  = tests::binary("test-spawn-grandchild"),
                  std::vector<std::string> args = {"--pid-file"}) {
    spawn_plan plan;
    plan.executable = executable;
    plan.args = std::move(args);
    plan.args.push_back(directory_.path() + "/pid");
    plan.environment = {"PATH=/usr/bin:/bin"};
    plan.on_host_death = host_death_policy::eof;
    auto spawned = spawn_child(plan);
    REQUIRE(std::holds_alternative<child_process>(spawned));
    leader = std::get<child_process>(std::move(spawned));
    wait_until([this] {
      return static_cast<bool>(std::ifstream{directory_.path() + "/pid"}
                               >> member);
    });
    REQUIRE(member > 0);
  }

  ~family() {
    ::kill(-leader.pid, SIGKILL);
    wait_until([this] { return members_of(leader.pid) == nobody; });
    reap(leader.pid);
  }

  child_process leader;
  pid_t member = 0;
};

/// No descriptor can be opened for the time of a test.
class no_descriptors {
public:
  no_descriptors() {
    ::getrlimit(RLIMIT_NOFILE, &before_);
    auto none = before_;
    none.rlim_cur = 0;
    ::setrlimit(RLIMIT_NOFILE, &none);
  }

  ~no_descriptors() {
    ::setrlimit(RLIMIT_NOFILE, &before_);
  }

private:
  rlimit before_{};
};

/// A member whose first thread ends while another runs.
constexpr const char* without_first_thread = R"(
import ctypes, os, platform, sys, threading, time
if os.fork() == 0:
    threading.Thread(target=lambda: time.sleep(60)).start()
    with open(sys.argv[1], "w") as file:
        print(os.getpid(), file=file)
    number = {"x86_64": 60, "aarch64": 93}[platform.machine()]
    ctypes.CDLL(None).syscall(number, 0)
time.sleep(60)
)";

} // namespace

TEST_CASE("a process of a group is found, but not its leader") {
  family processes;
  CHECK(members_of(processes.leader.pid)
        == group_members{kind::some, processes.member});
  CHECK(members_of(processes.member) == nobody);
}

TEST_CASE("a process of a group is found when the leader has ended") {
  family processes;
  ::kill(processes.leader.pid, SIGKILL);
  REQUIRE(
    wait_until([&] { return peek_exit(processes.leader.pid).has_value(); }));
  CHECK(members_of(processes.leader.pid)
        == group_members{kind::some, processes.member});
}

TEST_CASE("a zombie is no process of a group any more") {
  family processes;
  ::kill(processes.member, SIGKILL);
  // Its parent, the leader, does not reap it.
  CHECK(wait_until([&] { return members_of(processes.leader.pid) == nobody; }));
  CHECK(tests::exists(processes.member));
}

TEST_CASE("a process whose first thread has ended still runs") {
  family processes{"/usr/bin/env", {"python3", "-c", without_first_thread}};
  const auto stat = "/proc/" + std::to_string(processes.member) + "/stat";
  REQUIRE(wait_until([&] {
    std::ifstream file{stat};
    std::string text{std::istreambuf_iterator<char>{file}, {}};
    return text.find(") Z ") != std::string::npos;
  }));
  CHECK(members_of(processes.leader.pid)
        == group_members{kind::some, processes.member});
}

TEST_CASE("a process may have any name") {
  tests::scratch_directory there;
  auto name = there.path() + "/x) Z 1 1 (";
  std::filesystem::create_symlink(tests::binary("test-spawn-grandchild"), name);
  family processes{name};
  CHECK(members_of(processes.leader.pid)
        == group_members{kind::some, processes.member});
}

TEST_CASE("a group that cannot be looked at is unknown, not empty") {
  family processes;
  tests::scratch_directory there;
  const auto leader = processes.leader.pid;
  SECTION("there is no /proc") {
    CHECK(members_of(leader, there.path() + "/none").state == kind::unknown);
  }
  SECTION("/proc is empty") {
    CHECK(members_of(leader, there.path()).state == kind::unknown);
  }
  SECTION("/proc is that of other pids") {
    std::filesystem::create_symlink("1", there.path() + "/self");
    CHECK(members_of(leader, there.path()).state == kind::unknown);
  }
  SECTION("no descriptors are left") {
    group_members found;
    {
      no_descriptors limited;
      found = members_of(leader);
    }
    CHECK(found.state == kind::unknown);
  }
}

TEST_CASE("one scan tells of many groups, each by its place") {
  family processes;
  const auto leader = processes.leader.pid;
  CHECK(scan_groups({processes.member, leader, processes.member})
        == std::vector<group_members>{
          nobody, {kind::some, processes.member}, nobody});
  CHECK(scan_groups({}).empty());
}

TEST_CASE("a group without any process is vacant, one with a zombie is not") {
  family processes;
  CHECK_FALSE(is_vacant(processes.leader.pid));
  CHECK(is_vacant(processes.member)); // leads no group
  ::kill(-processes.leader.pid, SIGKILL);
  REQUIRE(
    wait_until([&] { return peek_exit(processes.leader.pid).has_value(); }));
  CHECK_FALSE(is_vacant(processes.leader.pid));
}
