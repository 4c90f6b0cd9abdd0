// Servers that do not start, or take their time.
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

TEST_CASE("a server that exits first fails the start with its stderr") {
  player script{"exits-before-reading"};
  host app;
  auto options = script.options();
  options.stderr_to.kind = stderr_kind::capture;
  auto info = failure(ask(*app.self, app.connect(options), open_connection{}));
  CHECK(info.name == "connection_closed");
  CHECK(info.data.value().at("status").as_int64() == 1);
  CHECK_FALSE(info.data.value().at("stderr_tail").as_string().empty());
}

TEST_CASE("the exit status of a refusal is a number in the error") {
  player script{"refuses-to-start"};
  host app;
  auto info
    = failure(ask(*app.self, app.connect(script.options()), open_connection{}));
  CHECK(info.data.value().at("reason").as_string() == "exit_status");
  CHECK(info.data.value().at("status").as_int64() == 43);
}

TEST_CASE("the limit for the start is not the limit for requests") {
  player script{"slow-start"};
  host app;
  auto options = script.options();
  options.probe_timeout = 100ms;
  SECTION("too short") {
    options.handshake_timeout = 500ms;
    auto server = app.connect(options);
    auto info = failure(ask(*app.self, server, open_connection{}));
    CHECK(info.name == "handshake_failed");
    CHECK(info.message.find("start-up") != std::string::npos);
    REQUIRE(ask(*app.self, server, close_connection{}));
    CHECK(tests::children().empty());
  }
  SECTION("long enough") {
    options.request_timeout = 1s;
    CHECK(value(ask(*app.self, app.connect(options), open_connection{})).state
          == connection_state::ready);
  }
}

TEST_CASE("a server that never answers fails the start in bounded time") {
  player script{"never-answers"};
  host app;
  auto options = script.options();
  options.probe_timeout = 50ms;
  options.handshake_timeout = 200ms;
  options.stdin_grace = 100ms;
  auto info = failure(ask(*app.self, app.connect(options), open_connection{}));
  CHECK(info.name == "handshake_failed");
}

TEST_CASE("the header of a foreign protocol is quoted in the error") {
  player script{"content-length-framing"};
  host app;
  auto options = script.options();
  options.probe_timeout = 100ms;
  options.handshake_timeout = 3s; // Python starts slowly on a busy machine
  options.stdin_grace = 100ms;
  auto info = failure(ask(*app.self, app.connect(options), open_connection{}));
  CHECK(info.name == "handshake_failed");
  CHECK(info.message.find("Content-Length") != std::string::npos);
}
