// Starts, losses and ends of a server, without a process.
#include "tests/support/fake_port.hpp"

#include <caf/event_based_actor.hpp>
#include <caf/scoped_actor.hpp>
#include <caf/send.hpp>
#include <catch2/catch_test_macros.hpp>

#include <memory>
#include <string>

using namespace caf_mcp;
using namespace std::chrono_literals;
using tests::done;
using tests::fake_port;
using tests::outcome;
using tests::with_tag;
using tests::within;

namespace {

constexpr std::string_view legacy_answer
  = R"({"capabilities":{"tools":{}},"protocolVersion":"2025-11-25"})";

/// Returns `ready`, or the error.
template <class Handle>
std::string text_of(Handle&& opened) {
  std::string result;
  std::move(opened).receive(
    [&](const session_info&) { result = "ready"; },
    [&](const caf::error& error) { result = describe(error).name; });
  return result;
}

} // namespace

TEST_CASE_METHOD(fake_port,
                 "a probe without an answer is followed by initialize") {
  options.probe_timeout = 2ms;
  spawn();
  auto called = call("a");
  open();
  CHECK(written().starts_with("request 2 server/discover"));
  CHECK(written().starts_with("request 3 initialize"));
  answer(3, legacy_answer);
  CHECK(written() == "notify notifications/initialized");
  CHECK(written() == "request 1 a {}");
}

TEST_CASE_METHOD(fake_port, "a late answer to the probe still counts") {
  options.probe_timeout = 2ms;
  spawn();
  auto called = call("a");
  open();
  CHECK(written().starts_with("request 2 server/discover"));
  CHECK(written().starts_with("request 3 initialize"));
  answer(2, R"({"capabilities":{},"supportedVersions":["2026-07-28"]})");
  CHECK(written() == "request 1 a {}");
}

TEST_CASE_METHOD(fake_port,
                 "a probe that is refused is followed by initialize") {
  spawn();
  auto called = call("a");
  open();
  CHECK(written().starts_with("request 2 server/discover"));
  refuse(2, -32601, "no such method");
  CHECK(written().starts_with("request 3 initialize"));
}

TEST_CASE_METHOD(fake_port, "a handshake without an end fails all that waits") {
  options.mode = era_mode::legacy;
  options.handshake_timeout = 2ms;
  options.max_reconnects = 0;
  spawn();
  auto opened = ask(open_connection{});
  auto called = call("a");
  open();
  CHECK(outcome(called).starts_with("handshake_failed"));
}

TEST_CASE_METHOD(fake_port,
                 "a process that takes its time to start is waited for") {
  options.probe_timeout = 300ms; // the first process is in time
  options.handshake_timeout = 1s;
  options.max_reconnects = 1;
  backoff_min = 0ms;
  connect_modern();
  die();
  auto called = call("a", "{}", within(1200ms));
  CHECK(outcome(called).starts_with("request_timeout")); // no time of a server
  open();
  CHECK(written().starts_with("request 3 server/discover"));
  CHECK(written().starts_with("request 4 initialize"));
  CHECK(text_of(ask(open_connection{})) == "handshake_failed");
}

TEST_CASE_METHOD(fake_port, "a lost server is started again") {
  connect_legacy();
  die();
  auto called = call("a");
  open();
  CHECK(written().starts_with("request 3 initialize"));
  answer(3, legacy_answer);
  CHECK(written() == "notify notifications/initialized");
  CHECK(written() == "request 2 a {}");
  answer(2, R"({"n":1})");
  CHECK(outcome(called) == R"({"n":1})");
}

TEST_CASE_METHOD(fake_port, "a server that is lost too often stays away") {
  options.max_reconnects = 2;
  connect_legacy();
  die();
  open();
  CHECK(written().starts_with("request 2 initialize"));
  die();
  open();
  CHECK(written().starts_with("request 3 initialize"));
  die();
  CHECK(outcome(call("a")).starts_with("connection_closed"));
}

TEST_CASE_METHOD(fake_port, "an old process changes nothing") {
  connect_legacy();
  auto called = call("a");
  CHECK(written() == "request 2 a {}");
  die({2});
  open();
  CHECK(written().starts_with("request 3 initialize"));
  // Request 2 was not written to this process.
  answer(2, R"({"n":"stray"})");
  answer(3, legacy_answer);
  CHECK(written() == "notify notifications/initialized");
  CHECK(written() == "request 2 a {}");
  answer(2, R"({"n":1})");
  CHECK(outcome(called) == R"({"n":1})");
}

TEST_CASE_METHOD(fake_port, "a request runs out of time during a reconnect") {
  connect_legacy();
  die();
  auto called = call("a", "{}", within(5ms));
  CHECK(outcome(called).starts_with("request_timeout"));
  open();
  CHECK(written().starts_with("request 3 initialize"));
  answer(3, legacy_answer);
  CHECK(written() == "notify notifications/initialized");
  CHECK(wrote_nothing());
}

TEST_CASE_METHOD(fake_port, "progress keeps a request alive up to a bound") {
  connect_legacy();
  auto chosen = within(1h);
  chosen.reset_timeout_on_progress = true;
  chosen.max_total_timeout = 5ms;
  auto called = call("a", "{}", chosen);
  CHECK(written() == "request 2 a {}");
  notify("notifications/progress", R"({"progressToken":2,"progress":1})");
  CHECK(outcome(called) == "max_total_timeout: Maximum total timeout exceeded");
  CHECK(written().starts_with("notify notifications/cancelled"));
}

TEST_CASE_METHOD(fake_port, "a drain ends with its time") {
  connect_legacy();
  auto called = call("a");
  CHECK(written() == "request 2 a {}");
  CHECK(done(ask(close_connection{2ms})) == "ok");
  CHECK(outcome(called).starts_with("connection_closed"));
}

TEST_CASE_METHOD(fake_port, "a drain lets what waits for the server leave") {
  options.mode = era_mode::legacy;
  spawn();
  auto called = call("a");
  open();
  CHECK(written().starts_with("request 2 initialize"));
  auto closed = ask(close_connection{10s});
  answer(2, legacy_answer);
  CHECK(written() == "notify notifications/initialized");
  CHECK(written() == "request 1 a {}");
  answer(1);
  CHECK(outcome(called) == "{}");
  CHECK(done(closed) == "ok");
}

TEST_CASE_METHOD(fake_port, "a drain takes nobody in") {
  connect_legacy();
  auto called = call("a");
  CHECK(written() == "request 2 a {}");
  auto closed = ask(close_connection{1h});
  SECTION("who opens the connection") {
    auto visitor = std::make_unique<caf::scoped_actor>(system());
    auto opened = caf_mcp::ask(visitor->ptr(), connection, open_connection{});
    CHECK(text_of(opened).starts_with("connection_closed"));
    visitor.reset();
  }
  SECTION("who calls") {
    CHECK(outcome(call("b")).starts_with("connection_closed"));
  }
  SECTION("who notifies") {
    CHECK(done(ask(send_notification{"b"})).starts_with("connection_closed"));
  }
  answer(2);
  CHECK(outcome(called) == "{}");
  CHECK(done(closed) == "ok");
}

TEST_CASE_METHOD(fake_port, "a close without drain ends a drain at once") {
  connect_legacy();
  auto called = call("a");
  CHECK(written() == "request 2 a {}");
  auto closed = ask(close_connection{1h});
  CHECK(done(ask(close_connection{})) == "ok");
  CHECK(outcome(called).starts_with("connection_closed"));
  CHECK(done(closed) == "ok");
}

TEST_CASE_METHOD(fake_port, "a second close does not prolong a drain") {
  connect_legacy();
  auto called = call("a");
  CHECK(written() == "request 2 a {}");
  auto closed = ask(close_connection{100ms});
  auto again = ask(close_connection{1h});
  CHECK(outcome(called).starts_with("connection_closed"));
  CHECK(done(closed) == "ok");
  CHECK(done(again) == "ok");
}

TEST_CASE_METHOD(fake_port, "a drain in the handshake ends with its callers") {
  options.mode = era_mode::legacy;
  spawn();
  auto called = call("a", "{}", with_tag(1));
  open();
  CHECK(written().starts_with("request 2 initialize"));
  auto closed = ask(close_connection{1h});
  CHECK(done(ask(cancel_request{1, ""})) == "ok");
  CHECK(outcome(called).starts_with("cancelled"));
  CHECK(done(closed) == "ok");
}

TEST_CASE_METHOD(fake_port, "a server that is lost during a drain is the end") {
  connect_legacy();
  auto called = call("a");
  CHECK(written() == "request 2 a {}");
  auto closed = ask(close_connection{10s});
  die();
  CHECK(outcome(called).starts_with("connection_closed"));
  CHECK(done(closed) == "ok");
}

TEST_CASE_METHOD(fake_port, "the death of the owner ends the connection") {
  options.mode = era_mode::legacy;
  spawn();
  auto owner
    = system().spawn([server = connection](caf::event_based_actor* me) {
        caf_mcp::ask(me, server, open_connection{})
          .then([](const session_info&) {}, [](const caf::error&) {});
        return caf::behavior{[](int) {}};
      });
  open();
  CHECK(written().starts_with("request 1 initialize"));
  auto called = call("a");
  caf::anon_send_exit(owner, caf::exit_reason::kill);
  CHECK(outcome(called).starts_with("connection_closed"));
}

TEST_CASE_METHOD(fake_port, "an error that names no request ends the probe") {
  spawn();
  auto called = call("a");
  open();
  CHECK(written().starts_with("request 2 server/discover"));
  payload error{boost::json::value{{"code", -32600}, {"message", "what"}}};
  say({incoming_response{0, id_match::none, {}, std::move(error)}});
  CHECK(written().starts_with("request 3 initialize"));
}
