// How servers are made to leave, and what happens to them on the way.
#include "tests/support/player.hpp"
#include "tests/support/processes.hpp"
#include "tests/support/wait_until.hpp"

#include <catch2/catch_test_macros.hpp>

#include <csignal>

using namespace caf_mcp;
using namespace std::chrono_literals;
using tests::call_t;
using tests::failure;
using tests::host;
using tests::player;
using tests::value;

TEST_CASE("a server gets the end of stdin, and time to clean up") {
  player script{"closed-slow-cleanup"};
  host app;
  auto server = app.open(script.options());
  REQUIRE(ask(*app.self, server, close_connection{}));
  CHECK(script.count("eof") == 1);
  CHECK(script.count("signal") == 0);
}

TEST_CASE("a server that ignores SIGTERM is killed in bounded time") {
  player script{"ignores-sigterm"};
  host app;
  auto options = script.options();
  options.stdin_grace = 300ms;
  auto server = app.open(options);
  auto pid = value(ask(*app.self, server, get_session{})).pid;
  REQUIRE(ask(*app.self, server, close_connection{}));
  CHECK_FALSE(tests::exists(pid));
  CHECK(tests::children().empty());
}

TEST_CASE("close fails a call at once, or lets it finish when draining") {
  player script{"eof-during-call"};
  host app;
  auto server = app.open(script.options());
  caf::scoped_actor caller{app.system()};
  auto pending = ask(caller.ptr(), server, call_tool("t"));
  REQUIRE(tests::wait_until([&] { return script.received("tools/call") > 0; }));
  auto answered = 0;
  auto failed = 0;
  SECTION("at once") {
    REQUIRE(ask(*app.self, server, close_connection{}));
    std::move(pending).receive([&](payload&) { ++answered; },
                               [&](caf::error& error) {
                                 ++failed;
                                 CHECK(describe(error).name
                                       == "connection_closed");
                               });
    CHECK(failed == 1);
  }
  SECTION("draining") {
    REQUIRE(ask(*app.self, server, close_connection{10s}));
    std::move(pending).receive([&](payload&) { ++answered; },
                               [&](caf::error&) { ++failed; });
    CHECK(answered == 1);
    CHECK_FALSE(script.marked("dropped"));
  }
  CHECK(answered + failed == 1);
}

TEST_CASE("after its end is known, a process is not signalled any more") {
  player script{"exits-while-idle"};
  host app;
  auto server = app.open(script.options());
  REQUIRE(tests::wait_until([&] {
    return value(ask(*app.self, server, get_session{})).state
           == connection_state::closed;
  }));
  REQUIRE(ask(*app.self, server, close_connection{}));
  CHECK(tests::children().empty());
  CHECK(script.count("signal") == 0);
}

TEST_CASE("a killed server reports its signal, and no missing child") {
  player script{"killed-by-sigkill"};
  host app;
  auto options = script.options();
  options.stdin_grace = 100ms;
  options.term_grace = 100ms;
  auto server = app.open(options);
  REQUIRE(ask(*app.self, server, close_connection{}));
  CHECK(tests::children().empty());
}

TEST_CASE("a stopped server times out, and is killed by close") {
  player script{"stops-itself"};
  host app;
  auto options = script.options();
  options.stdin_grace = 300ms;
  auto server = app.open(options);
  auto pid = value(ask(*app.self, server, get_session{})).pid;
  ::kill(static_cast<pid_t>(pid), SIGSTOP);
  request_options brief;
  brief.timeout = 500ms;
  auto begin = std::chrono::steady_clock::now();
  CHECK(failure(call_t(app, server, brief)).name == "request_timeout");
  REQUIRE(ask(*app.self, server, close_connection{}));
  CHECK(std::chrono::steady_clock::now() - begin < 10s);
  CHECK_FALSE(tests::exists(pid));
}

TEST_CASE("a long timeout of an answered request delays nothing") {
  player script{"answers-at-once"};
  std::int64_t pid = 0;
  {
    host app;
    auto server = app.open(script.options());
    pid = value(ask(*app.self, server, get_session{})).pid;
    request_options patient;
    patient.timeout = 1h;
    value(call_t(app, server, patient));
    REQUIRE(ask(*app.self, server, close_connection{}));
  } // a timer left behind would keep the system, and this test, for an hour
  CHECK_FALSE(tests::exists(pid));
}

TEST_CASE("a system with open connections shuts down") {
  player script{"stays-connected"};
  std::int64_t pid = 0;
  {
    host app;
    auto server = app.open(script.options());
    pid = value(ask(*app.self, server, get_session{})).pid;
  }
  CHECK_FALSE(tests::exists(pid));
}

TEST_CASE("an exit is noticed at once") {
  player script{"exit-with-open-pipe"};
  host app;
  auto server = app.connect(script.options());
  ask(*app.self, server, open_connection{});
  // Also run where there is no pidfd_open, see `without_pidfd` in CMakeLists.
  CHECK(tests::wait_until([&] {
    return value(ask(*app.self, server, get_session{})).state
           == connection_state::closed;
  }));
  auto error = failure(call_t(app, server));
  CHECK(error.data.string_member("reason") == "exit_status");
  CHECK(error.data.member("status").value() == 0);
}
