#include "caf_mcp/actors/io/process_group.hpp"

#include "caf_mcp/actors/io/child_process.hpp"

#include "tests/support/leftovers.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/scratch_directory.hpp"
#include "tests/support/wait_until.hpp"

#include <catch2/catch_test_macros.hpp>

#include <csignal>
#include <filesystem>
#include <fstream>

using namespace caf_mcp;
using tests::wait_until;

namespace {

/// A leader with one process more in its group.
class family {
  tests::leftover_check leftovers_;
  test::scratch_directory directory_;

public:
  explicit family(const std::string& executable
                  = tests::binary("test-spawn-grandchild")) {
    spawn_plan plan;
    plan.executable = executable;
    plan.args = {"--pid-file", directory_.path() + "/pid"};
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
    wait_until([this] { return !find_group_member(leader.pid); });
    reap(leader.pid);
  }

  child_process leader;
  pid_t member = 0;
};

} // namespace

TEST_CASE("a process of a group is found, but not its leader") {
  family processes;
  CHECK(find_group_member(processes.leader.pid) == processes.member);
  CHECK_FALSE(find_group_member(processes.member).has_value());
}

TEST_CASE("a process of a group is found when the leader has ended") {
  family processes;
  ::kill(processes.leader.pid, SIGKILL);
  REQUIRE(
    wait_until([&] { return peek_exit(processes.leader.pid).has_value(); }));
  CHECK(find_group_member(processes.leader.pid) == processes.member);
}

TEST_CASE("a zombie is no process of a group any more") {
  family processes;
  ::kill(processes.member, SIGKILL);
  // Its parent, the leader, does not reap it.
  CHECK(wait_until([&] { return !find_group_member(processes.leader.pid); }));
  CHECK(tests::exists(processes.member));
}

TEST_CASE("a process may have any name") {
  test::scratch_directory there;
  auto name = there.path() + "/x) Z 1 1 (";
  std::filesystem::create_symlink(tests::binary("test-spawn-grandchild"), name);
  family processes{name};
  CHECK(find_group_member(processes.leader.pid) == processes.member);
}
