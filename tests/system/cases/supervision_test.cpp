// Servers that are lost again and again.
#include "tests/support/player.hpp"
#include "tests/support/processes.hpp"
#include "tests/support/wait_until.hpp"

#include <catch2/catch_test_macros.hpp>

#include <vector>

using namespace caf_mcp;
using namespace std::chrono_literals;
using tests::call_t;
using tests::failure;
using tests::host;
using tests::player;
using tests::value;

TEST_CASE("a server that crashes after each start is given up") {
  player script{"exits-after-handshake"};
  host app;
  auto options = script.options();
  options.max_reconnects = 2;
  auto server = app.connect(options);
  ask(*app.self, server, open_connection{});
  REQUIRE(tests::wait_until([&] {
    return value(ask(*app.self, server, get_session{})).state
           == connection_state::closed;
  }));
  CHECK(script.count("start") <= 4);
  CHECK(failure(call_t(app, server)).name == "connection_closed");
}

TEST_CASE("late events of an old process do not touch its successor") {
  player script{"grandchild-holds-pipes"};
  host app;
  auto options = script.options();
  options.max_reconnects = 3;
  options.stdin_grace = 200ms;
  auto server = app.open(options);
  CHECK(failure(call_t(app, server)).name == "connection_closed");
  value(call_t(app, server));
}

TEST_CASE("a timer of an old process cancels nothing in the new one") {
  player script{"restart-during-timeout"};
  host app;
  auto options = script.options();
  options.max_reconnects = 3;
  auto server = app.open(options);
  request_options brief;
  brief.timeout = 600ms;
  CHECK(failure(call_t(app, server, brief)).name == "connection_closed");
  CHECK(tests::wait_until([&] { return script.count("start") == 2; }));
  CHECK(tests::wait_until([&] { return script.count("check") > 0; }));
  CHECK(script.checks_hold());
}

TEST_CASE(
  "what a lost server never saw goes to the next one, and no request is "
  "lost") {
  player script{"lost-in-burst"};
  host app;
  auto options = script.options();
  options.max_reconnects = 1;
  auto server = app.open(options);
  auto call = [&] { return ask(app.self->ptr(), server, call_tool("t", {})); };
  std::vector<decltype(call())> pending;
  for (auto i = 0; i < 300; ++i)
    pending.push_back(call());
  std::size_t answered = 0;
  std::size_t unknown = 0;
  for (auto& each : pending)
    std::move(each).receive([&](const payload&) { ++answered; },
                            [&](const caf::error& error) {
                              auto data = describe(error).data;
                              if (data.string_member("outcome") == "unknown")
                                ++unknown;
                            });
  CHECK(unknown > 0); // the call that the first server died of
  CHECK(answered + unknown == pending.size());
  CHECK(script.count("count") == answered);
}

TEST_CASE("the process of a failed attempt is stopped") {
  player script{"start-times-out"};
  host app;
  auto options = script.options();
  options.probe_timeout = 50ms;
  options.handshake_timeout = 200ms;
  options.stdin_grace = 100ms;
  options.term_grace = 100ms;
  auto server = app.connect(options);
  CHECK_FALSE(ask(*app.self, server, open_connection{}));
  REQUIRE(ask(*app.self, server, close_connection{}));
  CHECK(tests::children().empty());
}

TEST_CASE("starts that come and go leak neither descriptors nor zombies") {
  host app;
  auto first = app.open(host::program("demo-server"));
  REQUIRE(ask(*app.self, first, close_connection{}));
  const auto before = tests::open_descriptors();
  for (auto i = 0; i < 20; ++i) {
    auto server = app.open(host::program("demo-server"));
    REQUIRE(ask(*app.self, server, close_connection{}));
    server_options missing;
    missing.command = "no-such-command";
    CHECK_FALSE(ask(*app.self, app.connect(missing), open_connection{}));
    server_options useless;
    useless.command = "/bin/false";
    auto gone = app.connect(useless);
    CHECK_FALSE(ask(*app.self, gone, open_connection{}));
  }
  CHECK(tests::wait_until([&] { return tests::children().empty(); }));
  CHECK(tests::wait_until([&] { return tests::open_descriptors() <= before; }));
}
