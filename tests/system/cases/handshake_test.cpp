// Servers that make agreeing with them hard.
#include "tests/support/player.hpp"
#include "tests/support/processes.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace caf_mcp;
using namespace std::chrono_literals;
using tests::call_t;
using tests::failure;
using tests::host;
using tests::player;
using tests::value;

TEST_CASE("a server that leaves after its handshake is reported lost") {
  player script{"exits-after-initialize"};
  host app;
  auto options = script.options();
  auto server = app.connect(options);
  auto opened = ask(*app.self, server, open_connection{});
  auto info = opened ? failure(call_t(app, server)) : failure(opened);
  CHECK(info.name == "connection_closed");
  CHECK(info.data.value().at("reason").as_string() == "exit_status");
  CHECK(info.data.value().at("status").as_int64() == 0);
}

TEST_CASE("an unknown version ends the connection and names both") {
  player script{"unknown-version"};
  host app;
  auto options = script.options();
  options.mode = era_mode::legacy;
  auto server = app.connect(options);
  auto info = failure(ask(*app.self, server, open_connection{}));
  CHECK(info.name == "unsupported_protocol_version");
  CHECK(info.message.find("2025-11-25") != std::string::npos);
  REQUIRE(ask(*app.self, server, close_connection{}));
  CHECK(script.checks_hold());
}

TEST_CASE("initialize is never cancelled") {
  player script{"slow-initialize"};
  host app;
  auto options = script.options();
  options.mode = era_mode::legacy;
  options.handshake_timeout = 400ms;
  auto server = app.connect(options);
  CHECK(failure(ask(*app.self, server, open_connection{})).name
        == "handshake_failed");
  REQUIRE(ask(*app.self, server, close_connection{}));
  CHECK(script.checks_hold());
}

TEST_CASE("nothing is sent between initialize and initialized") {
  player script{"strict-initialized"};
  host app;
  auto server = app.connect(script.options());
  caf_mcp::listen message;
  message.filter.log = log_level::info;
  value(ask(*app.self, server, message));
  value(call_t(app, server));
  CHECK(script.received("logging/setLevel") == 1);
}

TEST_CASE("a ping before the handshake is answered") {
  player script{"ping-before-initialized"};
  host app;
  auto server = app.open(script.options());
  value(call_t(app, server));
  CHECK(script.checks_hold());
}

TEST_CASE("a request nobody handles is answered with an error") {
  player script{"unsupported-requests"};
  host app;
  auto server = app.open(script.options());
  value(call_t(app, server));
  CHECK(script.checks_hold());
}

TEST_CASE("a modern server that sends requests gets no answer") {
  player script{"modern-sends-requests"};
  host app;
  auto options = script.options();
  options.mode = era_mode::modern;
  auto server = app.open(options);
  value(call_t(app, server));
  REQUIRE(ask(*app.self, server, close_connection{}));
  CHECK(script.checks_hold());
}

TEST_CASE("a server that dies of the probe is started once more") {
  player script{"probe-is-fatal"};
  host app;
  auto server = app.open(script.options());
  CHECK(value(ask(*app.self, server, get_session{})).era == era::legacy);
  value(call_t(app, server));
  CHECK(script.count("start") == 2);
}

TEST_CASE("a server that ignores the probe is legacy") {
  player script{"probe-answered-late"};
  host app;
  auto options = script.options();
  options.probe_timeout = 200ms;
  auto server = app.open(options);
  CHECK(value(ask(*app.self, server, get_session{})).era == era::legacy);
  value(call_t(app, server));
}

TEST_CASE("a probe that is never answered holds up nothing once it is over") {
  player script{"probe-ignored"};
  host app;
  auto options = script.options();
  options.probe_timeout = 50ms;
  auto server = app.open(options);
  CHECK(value(ask(*app.self, server, get_session{})).in_flight == 0);
  // With nothing left to answer, a drained connection ends at once.
  auto begin = std::chrono::steady_clock::now();
  REQUIRE(ask(*app.self, server, close_connection{60s}));
  CHECK(std::chrono::steady_clock::now() - begin < 30s);
}

TEST_CASE("a refusal under a made-up id means legacy") {
  player script{"probe-refused-other-id"};
  host app;
  auto options = script.options();
  options.probe_timeout = 500ms;
  auto server = app.open(options);
  CHECK(value(ask(*app.self, server, get_session{})).era == era::legacy);
}

TEST_CASE("a server that lists the version it refused is asked twice at most") {
  player script{"probe-refused-version-listed"};
  host app;
  auto server = app.connect(script.options());
  auto info = failure(ask(*app.self, server, open_connection{}));
  CHECK(info.name == "unsupported_protocol_version");
  REQUIRE(ask(*app.self, server, close_connection{}));
  CHECK(script.received("server/discover") <= 2);
  CHECK(script.received("initialize") == 0);
}

TEST_CASE("a server is never pinged without being asked to") {
  player script{"ignores-pings"};
  host app;
  auto server = app.open(script.options());
  value(call_t(app, server));
  CHECK(script.count("start") == 1);
  CHECK(script.received("ping") == 0);
}
