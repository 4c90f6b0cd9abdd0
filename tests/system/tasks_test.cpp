// Calls of the modern era that a server makes a task of.
#include "tests/support/player.hpp"
#include "tests/support/wait_until.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace caf_mcp;
using namespace std::chrono_literals;
using tests::call_t;
using tests::failure;
using tests::host;
using tests::player;
using tests::value;
using tests::wait_until;

namespace {

handlers some_handlers() {
  handlers result;
  result.elicit_form = [](const server_request&) {
    return parse_payload(R"({"action":"accept","content":{}})");
  };
  result.roots
    = [](const server_request&) { return parse_payload(R"({"roots":[]})"); };
  return result;
}

} // namespace

TEST_CASE("a call that becomes a task is followed to its end, input included") {
  player script{"task-with-input"};
  host app;
  auto server = app.open(script.options(), some_handlers());
  CHECK(value(call_t(app, server)).to_json()
        == R"({"content":[{"type":"text","text":"ok"}]})");
  CHECK(script.checks_hold());
  CHECK(script.received("tasks/get") == 4);
  CHECK(script.received("tasks/update") == 1);
  CHECK(script.received("tasks/cancel") == 0);
}

TEST_CASE("whatever ends the call cancels its task on the server") {
  player script{"task-endless"};
  host app;
  auto server = app.open(script.options());
  auto is_polled = [&] { return script.received("tasks/get") > 1; };
  request_options options;
  options.tag = 7;
  SECTION("the total limit") {
    options.max_total_timeout = 200ms;
    CHECK(failure(call_t(app, server, options)).name == "max_total_timeout");
  }
  SECTION("its caller") {
    auto pending = ask(app.self->ptr(), server, call_tool("t", {}, options));
    REQUIRE(wait_until(is_polled));
    REQUIRE(ask(*app.self, server, cancel_request{7, "enough"}));
    std::string name;
    std::move(pending).receive(
      [](payload&) {}, [&](caf::error& error) { name = describe(error).name; });
    CHECK(name == "cancelled");
  }
  SECTION("its caller's death") {
    caf::scoped_actor caller{app.system()};
    ask(caller.ptr(), server, call_tool("t"));
    REQUIRE(wait_until(is_polled));
  }
  CHECK(wait_until([&] { return script.received("tasks/cancel") == 1; }));
  REQUIRE(ask(*app.self, server, close_connection{}));
  CHECK(script.checks_hold());
  CHECK(script.received("notifications/cancelled") == 0);
}

TEST_CASE("a task that asks for what nobody here can give is cancelled") {
  player script{"task-asks-endlessly"};
  host app;
  handlers answers;
  auto expected = "capability_missing";
  SECTION("nobody is there to ask") {
  }
  SECTION("who is there fails") {
    answers.roots = [](const server_request&) -> caf::expected<payload> {
      return refuse(-1, "none of its business");
    };
    expected = "handler_failed";
  }
  auto server = app.open(script.options(), answers);
  CHECK(failure(call_t(app, server)).name == expected);
  CHECK(wait_until([&] { return script.received("tasks/cancel") == 1; }));
  REQUIRE(ask(*app.self, server, close_connection{}));
  CHECK(script.checks_hold());
}

TEST_CASE("a task's end is the end of its call") {
  player script{"task-ends"};
  host app;
  auto server = app.open(script.options());
  auto failed = failure(call_t(app, server));
  CHECK(failed.origin == error_origin::peer);
  CHECK(failed.code == -32050);
  CHECK(failed.message == "no luck");
  CHECK(failed.data.to_json() == R"({"a":1})");
  auto cancelled = failure(call_t(app, server));
  CHECK(cancelled.origin == error_origin::local);
  CHECK(cancelled.name == "task_cancelled"); // not by its caller
  CHECK(cancelled.data.string_member("statusMessage") == "an operator did");
  CHECK(failure(call_t(app, server)).name == "invalid_response"); // dreaming
  CHECK(failure(call_t(app, server)).name == "invalid_response"); // no result
  CHECK(failure(call_t(app, server)).code == -32602);
  CHECK(failure(call_t(app, server)).name == "invalid_response"); // no id
  CHECK(failure(ask(*app.self, server, get_prompt("p"))).name
        == "invalid_response");
}

TEST_CASE("a caller may follow a task by himself") {
  player script{"task-endless"};
  host app;
  auto server = app.open(script.options());
  request_options manual;
  manual.input = input_policy::hand_over;
  auto task = value(call_t(app, server, manual));
  CHECK(task.string_member("resultType") == "task");
  send_request get{"tasks/get"};
  get.params = payload{boost::json::value{{"taskId", "t-1"}}};
  CHECK(value(ask(*app.self, server, get)).string_member("status")
        == "working");
}
