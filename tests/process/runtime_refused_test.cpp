// A runtime where the system lets nothing be watched.
#include "caf_mcp/actors/runtime.hpp"

#include "tests/support/processes.hpp"
#include "tests/support/refused_calls.hpp"

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include <cerrno>
#include <optional>
#include <string>
#include <sys/syscall.h>
#include <system_error>
#include <thread>

using namespace caf_mcp;

namespace {

/// What making a runtime throws in a thread that may not make a system call.
struct refusal {
  bool was_set_up = false;
  std::optional<std::error_code> code;
  std::string message;
};

refusal make_runtime_without(caf::actor_system& system, unsigned call,
                             int error) {
  refusal result;
  // The filter ends with the thread.
  std::thread{[&] {
    result.was_set_up = tests::refuse_call(call, static_cast<unsigned>(error));
    try {
      runtime host{system, 3};
    } catch (const std::system_error& thrown) {
      result.code = thrown.code();
      result.message = thrown.what();
    }
  }}.join();
  return result;
}

} // namespace

TEST_CASE("a runtime that the system lets watch no descriptors is refused with "
          "an error that says so") {
  const auto [call, error] = GENERATE(table<unsigned, int>({
    {SYS_epoll_create1, EMFILE}, // no descriptor is left
    {SYS_epoll_create1, ENFILE},
    {SYS_epoll_create1, EPERM}, // a sandbox
    {SYS_epoll_ctl, ENOSPC},    // fs.epoll.max_user_watches is used up
    {SYS_epoll_ctl, EPERM},
    {SYS_eventfd2, EMFILE},
    {SYS_eventfd2, ENFILE},
  }));
  CAPTURE(call, error);
  caf::actor_system_config config;
  caf::actor_system system{config};
  const auto descriptors = tests::open_descriptors();
  const auto seen = make_runtime_without(system, call, error);
  REQUIRE(seen.was_set_up);
  REQUIRE(seen.code);
  CHECK(seen.code->value() == error);
  CHECK(seen.message.find("cannot watch descriptors") != std::string::npos);
  CHECK(tests::open_descriptors() == descriptors);
  // Nothing of it stays with the process.
  runtime host{system, 3};
}
