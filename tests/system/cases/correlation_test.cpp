// Responses that do not quite say what they answer.
#include "tests/support/player.hpp"
#include "tests/support/wait_until.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

using namespace caf_mcp;
using namespace std::chrono_literals;
using tests::call_t;
using tests::failure;
using tests::host;
using tests::player;
using tests::value;

TEST_CASE("ids that servers are known to bend are accepted") {
  const auto* name = GENERATE("string-ids", "float-ids", "error-without-id");
  INFO(name);
  player script{name};
  host app;
  auto server = app.open(script.options());
  value(call_t(app, server));
}

TEST_CASE("a response with both or neither of result and error is invalid") {
  player script{"result-and-error"};
  host app;
  auto server = app.open(script.options());
  CHECK(failure(call_t(app, server)).name == "invalid_response");
  CHECK(failure(call_t(app, server)).name == "invalid_response");
  value(call_t(app, server));
}

TEST_CASE("an answer to nothing is ignored") {
  player script{"answers-initialized"};
  host app;
  auto server = app.open(script.options());
  call_t(app, server);
  value(call_t(app, server));
}

TEST_CASE("unknown members and kinds of content are kept") {
  player script{"unknown-members"};
  host app;
  auto server = app.open(script.options());
  auto result = value(call_t(app, server));
  CHECK(result.value().at("content").as_array().size() == 3);
}

TEST_CASE("requests that time out leave nothing behind") {
  player script{"never-answers-calls"};
  host app;
  auto server = app.open(script.options());
  request_options brief;
  brief.timeout = 1ms;
  for (auto i = 0; i < 300; ++i)
    CHECK(failure(call_t(app, server, brief)).name == "request_timeout");
  CHECK(value(ask(*app.self, server, get_session{})).in_flight == 0);
  // The server is told of each (MCP, Lifecycle, Timeouts).
  CHECK(tests::wait_until(
    [&] { return script.received("notifications/cancelled") == 300; }));
}

TEST_CASE("progress for a finished request is ignored") {
  player script{"progress-after-result"};
  host app;
  auto server = app.open(script.options());
  auto pid = value(ask(*app.self, server, get_session{})).pid;
  for (auto i = 0; i < 3; ++i)
    value(call_t(app, server));
  CHECK(value(ask(*app.self, server, get_session{})).pid == pid);
}

TEST_CASE("progress that may extend the deadline is asked for") {
  player script{"slow-call-with-progress"};
  host app;
  auto server = app.open(script.options());
  request_options patient;
  patient.timeout = 400ms;
  patient.reset_timeout_on_progress = true;
  value(call_t(app, server, patient));
  CHECK(script.checks_hold());
}

TEST_CASE("a late answer to a cancelled request is ignored") {
  player script{"answers-after-cancel"};
  host app;
  auto server = app.open(script.options());
  request_options tagged;
  tagged.tag = 7;
  caf::scoped_actor& caller = *app.self;
  auto pending = ask(caller.ptr(), server, call_tool("t", {}, tagged));
  REQUIRE(ask(caller, server, cancel_request{7, "not needed"}));
  std::string name;
  std::move(pending).receive(
    [](payload&) {}, [&](caf::error& error) { name = describe(error).name; });
  CHECK(name == "cancelled");
  value(call_t(app, server));
  CHECK(script.checks_hold());
}

TEST_CASE("bursts of notifications do not delay a call") {
  const auto* name = GENERATE("list-changed-burst", "list-changed-during-call",
                              "notification-flood");
  INFO(name);
  player script{name};
  host app;
  auto server = app.open(script.options());
  value(call_t(app, server));
}

TEST_CASE("a batch is taken where the protocol has batches") {
  player script{"batches"};
  host app;
  auto options = script.options();
  options.mode = era_mode::legacy;
  options.request_timeout = 500ms;
  const std::string version = GENERATE("2025-03-26", "2025-11-25");
  options.protocol_version = version;
  auto server = app.open(options);
  REQUIRE(value(ask(*app.self, server, get_session{})).protocol_version
          == version);
  caf::scoped_actor other{app.system()};
  auto first = ask(other.ptr(), server, call_tool("t"));
  auto second = call_t(app, server);
  auto first_is_answered = false;
  std::move(first).receive([&](payload&) { first_is_answered = true; },
                           [](caf::error&) {});
  CHECK(first_is_answered == (version == "2025-03-26"));
  CHECK(static_cast<bool>(second) == first_is_answered);
  if (!second)
    CHECK(failure(second).name == "request_timeout");
  value(call_t(app, server));
}
