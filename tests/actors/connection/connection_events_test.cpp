// What a server says unasked: requests, events, and what it does wrong.
#include "tests/support/fake_port.hpp"

#include <caf/actor_cast.hpp>
#include <caf/event_based_actor.hpp>
#include <caf/send.hpp>
#include <caf/typed_event_based_actor.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include <condition_variable>
#include <deque>
#include <mutex>
#include <string>

using namespace caf_mcp;
using namespace std::chrono_literals;
using tests::always;
using tests::done;
using tests::fake_port;
using tests::outcome;
using tests::with_tag;

namespace {

/// What the log actor is told, line by line.
struct remarks {
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<std::string> lines;

  std::string next() {
    std::unique_lock guard{mutex};
    if (!changed.wait_for(guard, 20s, [this] { return !lines.empty(); }))
      FAIL("nothing was remarked");
    auto result = std::move(lines.front());
    lines.pop_front();
    return result;
  }
};

/// A connection whose remarks are kept.
struct watched_port : fake_port {
  watched_port() {
    logs = system().spawn(
      [seen = seen](log_listener::pointer) -> log_listener::behavior_type {
        return {[seen](const server_output& output) {
          const std::lock_guard guard{seen->mutex};
          for (const auto& each : output.remarks)
            seen->lines.push_back(each);
          seen->changed.notify_all();
        }};
      });
  }

  ~watched_port() {
    logs = nullptr;
  }

  std::shared_ptr<remarks> seen = std::make_shared<remarks>();
};

} // namespace

TEST_CASE_METHOD(watched_port, "the answer to tasks/cancel is no violation") {
  const auto is_refused = GENERATE(false, true);
  connect_modern();
  auto called = call("tools/call", "{}", with_tag(7));
  CHECK(written() == "request 2 tools/call {}");
  answer(2, R"({"resultType":"task","taskId":"x","pollIntervalMs":20})");
  CHECK(written().starts_with("request 3 tasks/get"));
  CHECK(done(ask(cancel_request{7, ""})) == "ok");
  CHECK(written().starts_with("request 4 tasks/cancel"));
  if (is_refused)
    refuse(4, -32602, "it has ended");
  else
    answer(4);
  notify("test/unknown");
  CHECK(seen->next().starts_with("the server sent the unknown notification"));
}

TEST_CASE_METHOD(watched_port, "what tasks report is known") {
  connect_modern();
  notify("notifications/tasks", R"({"taskId":"x","status":"working"})");
  notify("notifications/tasks/status", R"({"taskId":"x","status":"working"})");
  notify("test/unknown");
  CHECK(seen->next().starts_with("the server sent the unknown notification"));
}

TEST_CASE_METHOD(watched_port, "an answer to nobody is remarked") {
  connect_legacy();
  answer(77);
  CHECK(seen->next().starts_with("the server answered the request 77"));
}

TEST_CASE_METHOD(fake_port, "a handler answers a request of the server") {
  answers.roots = always(R"({"roots":[]})");
  connect_legacy();
  say({incoming_request{"7", "roots/list", {}}});
  CHECK(written() == R"(respond 7 {"roots":[]})");
}

TEST_CASE_METHOD(fake_port, "a request that no handler is for is refused") {
  connect_legacy();
  say({incoming_request{"7", "roots/list", {}}});
  CHECK(written() == "respond 7 error -32601");
}

TEST_CASE_METHOD(fake_port, "a request before readiness is refused") {
  options.mode = era_mode::legacy;
  answers.roots = always("{}");
  spawn();
  auto called = call("a");
  open();
  CHECK(written().starts_with("request 2 initialize"));
  say({incoming_request{"7", "roots/list", {}}});
  CHECK(written() == "respond 7 error -32600");
}

TEST_CASE_METHOD(fake_port, "a modern server gets no answer to a request") {
  answers.roots = always("{}");
  connect_modern();
  say({incoming_request{"7", "roots/list", {}}});
  CHECK(wrote_nothing());
}

TEST_CASE_METHOD(fake_port, "a listener hears what it has asked for") {
  connect_legacy();
  listen_filter filter;
  filter.log = log_level::info;
  auto listening = ask(
    caf_mcp::listen{filter, {}, caf::actor_cast<caf::strong_actor_ptr>(*self)});
  std::uint64_t id = 0;
  std::move(listening).receive(
    [&](std::uint64_t value) { id = value; },
    [](const caf::error& error) { FAIL(to_string(error)); });
  CHECK(written() == R"(request 3 logging/setLevel {"level":"info"})");
  answer(3);
  CHECK(done(ask(grant_events{id, 1})) == "ok");
  notify("notifications/message", R"({"level":"error","data":"x"})");
  std::string heard;
  (*self)->receive([&](const subscription_accepted&) { heard += "accepted "; });
  (*self)->receive([&](const subscription_event& event) {
    heard += event.event.params.to_json();
  });
  CHECK(heard == R"(accepted {"level":"error","data":"x"})");
  CHECK(done(ask(cancel_subscription{id})) == "ok");
}

TEST_CASE_METHOD(fake_port, "a subscription is one request in the modern era") {
  spawn();
  auto opened = ask(open_connection{});
  open();
  CHECK(written().starts_with("request 1 server/discover"));
  answer(1, R"({"capabilities":{"tools":{"listChanged":true}},
                "supportedVersions":["2026-07-28"]})");
  listen_filter filter;
  filter.tools = true;
  auto listening = ask(
    caf_mcp::listen{filter, {}, caf::actor_cast<caf::strong_actor_ptr>(*self)});
  CHECK(written().starts_with("request 2 subscriptions/listen"));
  std::uint64_t id = 0;
  std::move(listening).receive(
    [&](std::uint64_t value) { id = value; },
    [](const caf::error& error) { FAIL(to_string(error)); });
  CHECK(done(ask(cancel_subscription{id})) == "ok");
  CHECK(
    written().starts_with(R"(notify notifications/cancelled {"requestId":2)"));
}

TEST_CASE_METHOD(fake_port,
                 "a receiver that refuses progress loses its request") {
  connect_legacy();
  auto caller
    = system().spawn([server = connection](caf::event_based_actor* me) {
        request_options chosen;
        chosen.wants_progress = true;
        caf_mcp::ask(me, server, send_request{"a", {}, chosen})
          .then([](const payload&) {}, [](const caf::error&) {});
        return caf::behavior{[](const progress&) -> caf::result<void> {
          return caf::make_error(caf::sec::runtime_error);
        }};
      });
  CHECK(written() == "request 2 a");
  notify("notifications/progress", R"({"progressToken":2,"progress":1})");
  CHECK(written().starts_with("notify notifications/cancelled"));
  caf::anon_send_exit(caller, caf::exit_reason::kill);
}
