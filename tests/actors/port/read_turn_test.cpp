#include "caf_mcp/actors/port/read_turn.hpp"

#include <catch2/catch_test_macros.hpp>

#include <thread>

using namespace caf_mcp;
using namespace std::chrono_literals;

TEST_CASE("a turn of reading begins") {
  read_turn turn;
  CHECK_FALSE(turn.is_over());
  CHECK_FALSE(turn.is_read_over());
}

TEST_CASE("a turn of reading is bounded in messages") {
  read_turn turn;
  for (std::size_t i = 1; i < read_turn::lines_max; ++i)
    turn.add_line(10);
  CHECK_FALSE(turn.is_over());
  turn.add_line(10);
  CHECK(turn.is_over());
}

TEST_CASE("a turn of reading is bounded in bytes") {
  read_turn turn{read_turn::clock::now() + 1h};
  SECTION("that are decoded") {
    turn.add_line(read_turn::bytes_max - 1);
    CHECK_FALSE(turn.is_over());
    turn.add_line(1);
    CHECK(turn.is_over());
    CHECK(turn.is_read_over());
  }
  SECTION("that are read, of a line that does not end") {
    turn.add_read(read_turn::bytes_max - 1);
    CHECK_FALSE(turn.is_read_over());
    turn.add_read(1);
    CHECK(turn.is_read_over());
    CHECK_FALSE(turn.is_over()); // what was read is still decoded
  }
}

TEST_CASE("a turn of reading is bounded in time") {
  const auto now = read_turn::clock::now();
  SECTION("one that has lasted too long ends with the next large line") {
    read_turn turn{now - read_turn::time_max};
    turn.add_line(20'000);
    CHECK(turn.is_over());
  }
  SECTION("or with many small ones") {
    read_turn turn{now - read_turn::time_max};
    for (auto i = 0; i < 20; ++i)
      turn.add_line(1000);
    CHECK(turn.is_over());
  }
  SECTION("the time counts from the first large line, too") {
    read_turn turn;
    turn.add_line(20'000);
    CHECK_FALSE(turn.is_over());
    std::this_thread::sleep_for(read_turn::time_max);
    turn.add_line(20'000);
    CHECK(turn.is_over());
  }
  SECTION("one that has not goes on") {
    read_turn turn{now + 1h};
    turn.add_line(20'000);
    CHECK_FALSE(turn.is_over());
  }
}
