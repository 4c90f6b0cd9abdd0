#include "tests/support/fake_port.hpp"

#include <caf/actor_cast.hpp>
#include <caf/event_based_actor.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include <chrono>

using namespace caf_mcp;
using namespace std::chrono_literals;
using tests::done;
using tests::fake_port;
using tests::outcome;
using tests::with_tag;
using tests::within;

namespace {

/// A caller of its own, which can be killed.
caf::actor spawn_caller(fake_port& port, std::string method) {
  return port.system().spawn(
    [server = port.connection, method](caf::event_based_actor* self) {
      ask(self, server, send_request{method})
        .then([](const payload&) {}, [](const caf::error&) {});
      return caf::behavior{[](int) {}};
    });
}

} // namespace

TEST_CASE_METHOD(fake_port, "a request is written and gets its result") {
  if (GENERATE(era::legacy, era::modern) == era::legacy)
    connect_legacy();
  else
    connect_modern();
  auto answer_of = call("tools/call", R"({"name":"t"})");
  CHECK(written() == R"(request 2 tools/call {"name":"t"})");
  answer(2, R"({"content":[]})");
  CHECK(outcome(answer_of) == R"({"content":[]})");
}

TEST_CASE_METHOD(fake_port, "an error of the server reaches the caller") {
  connect_legacy();
  auto answer_of = call("tools/call");
  CHECK(written() == "request 2 tools/call {}");
  refuse(2, -32602, "no such tool");
  CHECK(outcome(answer_of).ends_with("no such tool"));
}

TEST_CASE_METHOD(fake_port, "an answer that is none fails its request") {
  connect_legacy();
  auto answer_of = call("tools/call");
  CHECK(written() == "request 2 tools/call {}");
  say({incoming_response{2, id_match::exact, {}, {}}});
  CHECK(outcome(answer_of).starts_with("invalid_response"));
}

TEST_CASE_METHOD(fake_port, "answers may come in any order") {
  connect_legacy();
  auto first = call("tools/call", R"({"n":1})");
  auto second = call("tools/call", R"({"n":2})");
  CHECK(written() == R"(request 2 tools/call {"n":1})");
  CHECK(written() == R"(request 3 tools/call {"n":2})");
  answer(3, R"({"n":2})");
  answer(2, R"({"n":1})");
  CHECK(outcome(first) == R"({"n":1})");
  CHECK(outcome(second) == R"({"n":2})");
}

TEST_CASE_METHOD(fake_port, "a request that runs out of time is cancelled") {
  connect_legacy();
  auto answer_of = call("tools/call", "{}", within(2ms));
  CHECK(written() == "request 2 tools/call {}");
  CHECK(outcome(answer_of).starts_with("request_timeout"));
  CHECK(written().starts_with("notify notifications/cancelled"));
  SECTION("an answer that comes later is dropped") {
    answer(2);
    CHECK(wrote_nothing());
  }
}

TEST_CASE_METHOD(fake_port, "a request that was not written is not cancelled") {
  options.mode = era_mode::legacy;
  spawn();
  auto answer_of = call("tools/call", "{}", within(2ms));
  CHECK(outcome(answer_of).starts_with("request_timeout"));
  open();
  CHECK(written().starts_with("request 2 initialize"));
  answer(2, R"({"capabilities":{"tools":{}},"protocolVersion":"2025-11-25"})");
  CHECK(written() == "notify notifications/initialized");
  CHECK(wrote_nothing());
}

TEST_CASE_METHOD(fake_port, "a cancellation names what was written, once") {
  connect_legacy();
  auto answer_of = call("tools/call", "{}", with_tag(7));
  CHECK(written() == "request 2 tools/call {}");
  CHECK(done(ask(cancel_request{7, "enough"})) == "ok");
  CHECK(outcome(answer_of).starts_with("cancelled"));
  CHECK(
    written()
    == R"(notify notifications/cancelled {"requestId":2,"reason":"enough"})");
  CHECK(done(ask(cancel_request{7, "enough"})) == "ok");
  CHECK(wrote_nothing());
}

TEST_CASE_METHOD(fake_port, "a cancellation leaves other tags alone") {
  connect_legacy();
  auto answer_of = call("tools/call", "{}", with_tag(7));
  CHECK(written() == "request 2 tools/call {}");
  CHECK(done(ask(cancel_request{8, ""})) == "ok");
  CHECK(wrote_nothing());
  answer(2);
  CHECK(outcome(answer_of) == "{}");
}

TEST_CASE_METHOD(fake_port, "a requester that dies cancels its requests") {
  connect_legacy();
  auto caller = spawn_caller(*this, "tools/call");
  CHECK(written() == "request 2 tools/call");
  caf::anon_send_exit(caller, caf::exit_reason::kill);
  CHECK(
    written().starts_with(R"(notify notifications/cancelled {"requestId":2)"));
}

TEST_CASE_METHOD(fake_port, "a lost server fails what it may have seen") {
  connect_legacy();
  auto answer_of = call("tools/call");
  CHECK(written() == "request 2 tools/call {}");
  die();
  CHECK(outcome(answer_of).starts_with("connection_closed"));
}

TEST_CASE_METHOD(fake_port, "the next process gets what the last did not") {
  connect_legacy();
  auto seen = call("tools/call", R"({"n":1})");
  auto unseen = call("tools/call", R"({"n":2})");
  CHECK(written() == R"(request 2 tools/call {"n":1})");
  CHECK(written() == R"(request 3 tools/call {"n":2})");
  die({3});
  CHECK(outcome(seen).starts_with("connection_closed"));
  open();
  CHECK(written().starts_with("request 4 initialize"));
  answer(4, R"({"capabilities":{"tools":{}},"protocolVersion":"2025-11-25"})");
  CHECK(written() == "notify notifications/initialized");
  CHECK(written() == R"(request 3 tools/call {"n":2})");
  answer(3, R"({"n":2})");
  CHECK(outcome(unseen) == R"({"n":2})");
}

TEST_CASE_METHOD(fake_port, "a close with a drain waits for the answer") {
  connect_legacy();
  auto answer_of = call("tools/call");
  CHECK(written() == "request 2 tools/call {}");
  auto closed = ask(close_connection{10s});
  auto late = call("tools/call");
  CHECK(outcome(late).starts_with("connection_closed"));
  answer(2);
  CHECK(outcome(answer_of) == "{}");
  CHECK(done(closed) == "ok");
}

TEST_CASE_METHOD(fake_port, "a drain waits for callers' requests only") {
  connect_legacy();
  listen_filter filter;
  filter.log = log_level::info;
  auto listening = ask(
    caf_mcp::listen{filter, {}, caf::actor_cast<caf::strong_actor_ptr>(*self)});
  // The subscription itself has taken the id 2.
  CHECK(written().starts_with("request 3 logging/setLevel"));
  auto answer_of = call("tools/call");
  CHECK(written() == "request 4 tools/call {}");
  const auto start = std::chrono::steady_clock::now();
  auto closed = ask(close_connection{10s});
  answer(4);
  CHECK(outcome(answer_of) == "{}");
  CHECK(done(closed) == "ok");
  CHECK(std::chrono::steady_clock::now() - start < 5s);
}

TEST_CASE_METHOD(fake_port, "a close fails what is in flight") {
  connect_legacy();
  auto answer_of = call("tools/call");
  CHECK(written() == "request 2 tools/call {}");
  CHECK(done(ask(close_connection{})) == "ok");
  CHECK(outcome(answer_of).starts_with("connection_closed"));
  CHECK(done(ask(close_connection{})) == "ok");
  CHECK(outcome(call("tools/call")).starts_with("connection_closed"));
}

TEST_CASE_METHOD(fake_port, "a batch answers each of its requests") {
  connect_legacy("2025-03-26");
  auto first = call("tools/call");
  auto second = call("tools/call");
  written();
  written();
  incoming_batch batch;
  batch.messages
    = {incoming_response{3, id_match::exact, parse_payload(R"({"n":2})"), {}},
       incoming_response{2, id_match::exact, parse_payload(R"({"n":1})"), {}}};
  say({batch});
  CHECK(outcome(first) == R"({"n":1})");
  CHECK(outcome(second) == R"({"n":2})");
}

TEST_CASE_METHOD(fake_port, "progress reaches who asked for it") {
  connect_legacy();
  request_options options;
  options.wants_progress = true;
  options.tag = 5;
  auto answer_of = call("tools/call", "{}", options);
  CHECK(written() == "request 2 tools/call {}");
  notify("notifications/progress", R"({"progressToken":2,"progress":0.5})");
  std::optional<double> seen;
  (*self)->receive([&](const progress& report) { seen = report.value; });
  CHECK(seen == 0.5);
  answer(2);
  CHECK(outcome(answer_of) == "{}");
}

TEST_CASE_METHOD(fake_port, "a ping of the server is answered") {
  connect_legacy();
  say({incoming_request{"7", "ping", {}}});
  CHECK(written() == "respond 7");
}
