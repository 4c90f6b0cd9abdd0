#include "caf_mcp/actors/state/stop_ladder.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace caf_mcp;
using namespace std::chrono_literals;

using step = stop_ladder::step;

TEST_CASE("a server is asked by its stdin, then by SIGTERM, then killed") {
  stop_ladder ladder{stop_policy::escalate, 200ms, 300ms};
  CHECK(ladder.next() == step{stop_action::close_stdin, 200ms});
  CHECK(ladder.next() == step{stop_action::terminate, 300ms});
  CHECK(ladder.next() == step{stop_action::kill, kill_grace});
  CHECK(ladder.next() == step{stop_action::give_up, 0ms});
  CHECK(ladder.next() == step{stop_action::give_up, 0ms});
}

TEST_CASE("without signals only stdin is closed") {
  stop_ladder ladder{stop_policy::close_stdin_only, 200ms, 300ms};
  CHECK(ladder.next() == step{stop_action::close_stdin, 200ms});
  CHECK(ladder.next() == step{stop_action::give_up, 0ms});
  CHECK(ladder.next() == step{stop_action::give_up, 0ms});
}

TEST_CASE("a grace of zero keeps the order of the steps") {
  stop_ladder ladder{stop_policy::escalate, 0ms, 0ms};
  CHECK(ladder.next() == step{stop_action::close_stdin, 0ms});
  CHECK(ladder.next() == step{stop_action::terminate, 0ms});
  CHECK(ladder.next() == step{stop_action::kill, kill_grace});
}
