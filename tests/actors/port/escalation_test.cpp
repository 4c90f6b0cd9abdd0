#include "caf_mcp/actors/port/escalation.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace caf_mcp;
using namespace std::chrono_literals;

using step = escalation::step;

TEST_CASE("a server is asked by its stdin, then by SIGTERM, then killed") {
  escalation steps{stop_policy::escalate, 200ms, 300ms};
  CHECK(steps.next() == step{stop_action::close_stdin, 200ms});
  CHECK(steps.next() == step{stop_action::terminate, 300ms});
  CHECK(steps.next() == step{stop_action::kill, kill_grace});
  CHECK(steps.next() == step{stop_action::give_up, 0ms});
  CHECK(steps.next() == step{stop_action::give_up, 0ms});
}

TEST_CASE("without signals only stdin is closed") {
  escalation steps{stop_policy::close_stdin_only, 200ms, 300ms};
  CHECK(steps.next() == step{stop_action::close_stdin, 200ms});
  CHECK(steps.next() == step{stop_action::give_up, 0ms});
  CHECK(steps.next() == step{stop_action::give_up, 0ms});
}

TEST_CASE("a grace of zero keeps the order of the steps") {
  escalation steps{stop_policy::escalate, 0ms, 0ms};
  CHECK(steps.next() == step{stop_action::close_stdin, 0ms});
  CHECK(steps.next() == step{stop_action::terminate, 0ms});
  CHECK(steps.next() == step{stop_action::kill, kill_grace});
}
