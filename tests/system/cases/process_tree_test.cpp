// Servers that are launched by something else, or launch something themselves.
#include "tests/support/player.hpp"
#include "tests/support/processes.hpp"
#include "tests/support/wait_until.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace caf_mcp;
using namespace std::chrono_literals;
using tests::call_t;
using tests::failure;
using tests::host;
using tests::player;
using tests::value;

TEST_CASE("the server below a launcher is ended with it") {
  player script{"launcher-without-forwarding"};
  host app;
  auto options = script.options();
  options.stdin_grace = 200ms;
  auto server = app.open(options);
  auto pid = value(ask(*app.self, server, get_session{})).pid;
  value(call_t(app, server));
  REQUIRE(ask(*app.self, server, close_connection{}));
  CHECK_FALSE(tests::group_runs(pid));
}

TEST_CASE("helpers of a server that crashed are ended") {
  player script{"crash-leaves-helpers"};
  host app;
  auto options = script.options();
  options.stdin_grace = 200ms;
  auto server = app.open(options);
  auto pid = value(ask(*app.self, server, get_session{})).pid;
  auto info = failure(call_t(app, server));
  CHECK(info.data.value().at("reason").as_string() == "exit_status");
  CHECK(info.data.value().at("status").as_int64() == 1);
  CHECK(tests::wait_until([&] { return !tests::group_runs(pid); }));
}

TEST_CASE("the end of stdin reaches a server that no signal can reach") {
  player script{"launcher-out-of-reach"};
  host app;
  auto server = app.open(script.options());
  REQUIRE(ask(*app.self, server, close_connection{}));
  CHECK(tests::wait_until([&] { return script.marked("container-stopped"); }));
  CHECK(script.count("signal") == 0);
  CHECK(tests::wait_until(
    [&] { return !tests::group_runs(script.spawned_pid()); }));
}

TEST_CASE("a server that floods with junk is stopped") {
  player script{"wrapper-with-flooding-child"};
  host app;
  auto server = app.connect(script.options());
  auto opened = ask(*app.self, server, open_connection{});
  // It may become ready before the flood.
  auto info = opened ? failure(call_t(app, server)) : failure(opened);
  CHECK(info.data.value().at("reason").as_string() == "junk_output");
  REQUIRE(ask(*app.self, server, close_connection{}));
  CHECK(tests::children().empty());
}
