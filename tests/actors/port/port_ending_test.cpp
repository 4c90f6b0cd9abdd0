#include "caf_mcp/actors/port/port_ending.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace caf_mcp;

using step = port_ending::step;

namespace {

constexpr exit_report status_3{close_cause::exit_status, 3};

} // namespace

TEST_CASE("the first end begins a wait, the last one closes") {
  port_ending ending;
  CHECK_FALSE(ending.has_begun());
  SECTION("the output ends first") {
    CHECK(ending.on_output_end() == step::linger);
    CHECK(ending.on_exit(status_3) == step::close);
  }
  SECTION("the process ends first") {
    CHECK(ending.on_exit(status_3) == step::linger);
    CHECK(ending.on_output_end() == step::close);
  }
  CHECK(ending.has_begun());
  CHECK(ending.reason().cause == close_cause::exit_status);
  CHECK(ending.reason().number == 3);
}

TEST_CASE("a lost stdin waits for the exit and the output") {
  port_ending ending;
  CHECK(ending.on_input_lost() == step::linger);
  CHECK(ending.on_exit(status_3) == step::wait);
  CHECK(ending.on_output_end() == step::close);
  CHECK(ending.reason().number == 3);
}

TEST_CASE("without an exit the first end is the reason") {
  port_ending ending;
  SECTION("stdout") {
    ending.on_output_end();
    ending.on_input_lost();
    CHECK(ending.reason().cause == close_cause::server_closed_stdout);
  }
  SECTION("stdin") {
    ending.on_input_lost();
    ending.on_output_end();
    CHECK(ending.reason().cause == close_cause::server_closed_stdin);
  }
}

TEST_CASE("a last look finds an exit whose notice is late") {
  port_ending ending;
  ending.on_output_end();
  ending.on_last_look(std::nullopt);
  CHECK_FALSE(ending.has_exited());
  ending.on_last_look(status_3);
  CHECK(ending.has_exited());
  CHECK(ending.reason().number == 3);
}
