#include "caf_mcp/actors/nodes/node_rotation.hpp"

#include <catch2/catch_test_macros.hpp>

using caf_mcp::node_rotation;

namespace {

const node_rotation::time_point now{std::chrono::hours{1}};

} // namespace

TEST_CASE("calls go to the nodes in turn", "[node_rotation]") {
  node_rotation nodes{3};
  for (std::size_t i = 0; i < 7; ++i)
    CHECK(nodes.next({}, now) == i % 3);
}

TEST_CASE("a call is never given to a node twice", "[node_rotation]") {
  node_rotation nodes{2};
  CHECK(nodes.next({0}, now) == 1);
  CHECK(nodes.next({1}, now) == 0);
  CHECK_FALSE(nodes.next({0, 1}, now));
}

TEST_CASE("a node that failed rests until it answers, or a while",
          "[node_rotation]") {
  node_rotation nodes{2};
  nodes.on_failed(0, now);
  CHECK(nodes.next({}, now) == 1);
  CHECK(nodes.next({}, now) == 1);
  SECTION("it answers") {
    nodes.on_ready(0);
    CHECK(nodes.next({}, now) == 0);
  }
  SECTION("a while") {
    CHECK(nodes.next({}, now + node_rotation::rest) == 0);
  }
}

TEST_CASE("nodes that failed are used when no other is left",
          "[node_rotation]") {
  node_rotation nodes{2};
  nodes.on_failed(0, now);
  CHECK(nodes.next({1}, now) == 0);
  nodes.on_failed(1, now);
  CHECK(nodes.next({}, now) == 0);
  CHECK(nodes.next({0}, now) == 1);
}
