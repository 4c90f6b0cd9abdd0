#include "caf_mcp/actors/port/write_stall.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace caf_mcp;
using namespace std::chrono_literals;

TEST_CASE("a server stalls when it takes nothing for the limit") {
  const write_stall::clock::time_point start{1h};
  write_stall stall{10s};
  CHECK_FALSE(stall.has_stalled(start + 1h)); // nothing waits for it
  CHECK(stall.begin(start) == start + 10s);
  CHECK_FALSE(stall.has_stalled(start + 9s));
  CHECK(stall.has_stalled(start + 10s));
}

TEST_CASE("a server that takes anything has not stalled") {
  const write_stall::clock::time_point start{1h};
  write_stall stall{10s};
  stall.begin(start);
  stall.progress(start + 9s);
  CHECK_FALSE(stall.has_stalled(start + 18s));
  CHECK(stall.deadline() == start + 19s);
  CHECK(stall.has_stalled(start + 19s));
}

TEST_CASE("only one look for a stall is planned at a time") {
  const write_stall::clock::time_point start{1h};
  write_stall stall{10s};
  CHECK(stall.begin(start).has_value());
  CHECK_FALSE(stall.begin(start + 1s).has_value());
  stall.end();
  CHECK_FALSE(stall.is_watching());
  CHECK_FALSE(stall.has_stalled(start + 1h));
  CHECK(stall.begin(start + 2s) == start + 12s);
}
