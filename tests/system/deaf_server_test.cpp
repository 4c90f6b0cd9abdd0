// A server that stops reading its stdin.
#include "tests/support/host.hpp"
#include "tests/support/processes.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <chrono>
#include <string>

using namespace caf_mcp;
using namespace std::chrono_literals;
using tests::failure;
using tests::host;
using tests::value;

namespace {

using clock = std::chrono::steady_clock;

/// More than a pipe holds.
boost::json::object large_arguments() {
  return {{"q", std::string(4 * 1024 * 1024, 'x')}};
}

} // namespace

TEST_CASE("a timeout is on time though the server does not read") {
  host app;
  auto server = app.open(host::program("test-stop-reading"));
  request_options brief;
  brief.timeout = 300ms;
  auto begin = clock::now();
  auto late
    = failure(ask(*app.self, server, call_tool("t", large_arguments(), brief)));
  auto elapsed = clock::now() - begin;
  CHECK(late.name == "request_timeout");
  CHECK(elapsed >= 300ms);
  CHECK(elapsed < 5s); // the machine may be busy
  // Its graces are 300 ms each; queued messages get 500 ms.
  begin = clock::now();
  REQUIRE(ask(*app.self, server, close_connection{}));
  CHECK(clock::now() - begin < 6s);
  CHECK(tests::children().empty());
}

TEST_CASE("a server that does not read holds up no other of its loop") {
  host app; // all on one loop
  auto deaf = app.open(host::program("test-stop-reading"));
  auto demo = app.open(host::program("demo-server"));
  caf::scoped_actor caller{app.system()};
  auto pending = ask(caller.ptr(), deaf, call_tool("t", large_arguments()));
  clock::duration longest{};
  for (auto i = 0; i < 200; ++i) {
    auto begin = clock::now();
    value(ask(*app.self, demo, call_tool("echo", {{"message", "hi"}})));
    longest = std::max(longest, clock::now() - begin);
  }
  // A call takes some 50 us; the rest is what a busy machine may add.
  CHECK(longest < 2s);
  REQUIRE(ask(*app.self, deaf, close_connection{}));
  std::move(pending).receive([](payload&) { FAIL("it does not read"); },
                             [](caf::error&) {});
}
