#include "caf_mcp/actors/connection/calls.hpp"

#include "caf_mcp/messages/error_info.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include <chrono>
#include <string>
#include <utility>
#include <variant>
#include <vector>

using namespace caf_mcp;
using namespace std::chrono_literals;

namespace {

using lines = std::vector<std::string>;
using clock = calls::clock;

constexpr clock::time_point start{1h};

clock::time_point test_time;

clock::time_point tell_time() {
  return test_time;
}

std::string text_of(const outgoing_message& message) {
  if (const auto* request = std::get_if<outgoing_request>(&message))
    return std::to_string(request->id) + ' ' + request->method
           + request->params.to_json();
  const auto& notification = std::get<outgoing_notification>(message);
  return notification.method + notification.params.to_json();
}

/// Plays the connection and its callers.
struct fixture {
  fixture() {
    test_time = start;
    options.request_timeout = 100ms;
    options.max_total_timeout = 1s;
    answers.roots = handler_function{
      [](const server_request&) { return caf::expected<payload>{payload{}}; }};
  }

  void ready(era spoken = era::legacy) {
    calls::server next;
    next.spoken = spoken;
    machine.on_ready(std::move(next));
    while (machine.has_held())
      take(machine.write_next_held());
  }

  /// Accepts a request of the next slot.
  void call(std::string method, std::string_view params = "",
            const request_options& chosen = {}) {
    pending_request request;
    request.method = std::move(method);
    request.params = parse_payload(params);
    request.options = chosen;
    accept(std::move(request));
  }

  void list(list_kind kind, std::uint32_t pages_max = 10) {
    pending_request request;
    request.purpose = request_purpose::page;
    request.method = list_method(kind);
    request.pages = std::make_unique<listing>(kind, pages_max);
    accept(std::move(request));
  }

  void accept(pending_request request) {
    request.reply = reply{stream, ++last_slot};
    take(machine.accept(std::move(request), &caller, test_time));
  }

  void answer(std::int64_t id, std::string_view result = "{}") {
    take(machine.answer({id, id_match::exact, parse_payload(result), {}}));
  }

  void pass(clock::duration time) {
    test_time += time;
    take(machine.expire(test_time));
  }

  void take(calls::actions actions) {
    for (auto& each : actions)
      to_do.push_back(std::move(each));
  }

  /// Returns what was written since the last call.
  lines written() {
    lines result;
    for (const auto& each : out.take())
      result.push_back(text_of(each));
    return result;
  }

  /// Returns the answers since the last call: the slot, and the result or the
  /// name of the error.
  lines answered() {
    lines result;
    for (const auto& each : std::exchange(stream.ready.answers, {}))
      result.push_back(
        std::to_string(each.slot) + ' '
        + (each.error ? describe(each.error).name : each.result.to_json()));
    return result;
  }

  /// Returns what became of the requests that failed since the last call.
  lines outcomes() {
    lines result;
    for (const auto& each : std::exchange(stream.ready.answers, {}))
      result.emplace_back(describe(each.error).data.string_member("outcome"));
    return result;
  }

  server_options options;
  handlers answers;
  outbox out;
  answer_stream stream;
  request_owner caller;
  std::uint64_t last_slot = 0;
  calls::actions to_do;
  calls machine{options, answers, out, &tell_time};
};

constexpr std::string_view only_state
  = R"({"resultType":"input_required","requestState":"s"})";

constexpr std::string_view needs_roots = R"({"resultType":"input_required",
  "inputRequests":{"a":{"method":"roots/list"}},"requestState":"s"})";

} // namespace

TEST_CASE_METHOD(fixture, "a call is written, answered and gone") {
  ready();
  call("tools/call", R"({"name":"t"})");
  CHECK(written() == lines{R"(1 tools/call{"name":"t"})"});
  answer(1, R"({"n":1})");
  CHECK(answered() == lines{R"(1 {"n":1})"});
  CHECK(machine.size() == 0);
  CHECK(to_do.empty());
}

TEST_CASE_METHOD(fixture, "calls wait for the server in their order") {
  call("a");
  call("b");
  CHECK(written().empty());
  ready();
  CHECK(written() == lines{"1 a", "2 b"});
}

TEST_CASE_METHOD(fixture, "a call fails at its deadline, written or not") {
  call("a");
  pass(99ms);
  CHECK(answered().empty());
  pass(1ms);
  CHECK(answered() == lines{"1 request_timeout"});
  CHECK(written().empty());
  ready();
  call("b");
  pass(100ms);
  CHECK(answered() == lines{"2 request_timeout"});
  CHECK(written()
        == lines{"2 b", R"(notifications/cancelled{"requestId":2,)"
                        R"("reason":"timed out"})"});
}

TEST_CASE_METHOD(fixture, "progress moves a deadline up to the total timeout") {
  ready();
  request_options chosen;
  chosen.reset_timeout_on_progress = true;
  call("a", "", chosen);
  for (auto i = 0; i < 10; ++i) {
    CHECK(answered().empty());
    pass(99ms);
    take(machine.on_progress(
      parse_payload(R"({"progressToken":1,"progress":1})")));
  }
  pass(10ms);
  CHECK(answered() == lines{"1 max_total_timeout"});
}

TEST_CASE_METHOD(fixture, "progress of a call that is over is remarked") {
  ready();
  take(
    machine.on_progress(parse_payload(R"({"progressToken":1,"progress":1})")));
  REQUIRE(to_do.size() == 1);
  CHECK(std::get<calls::violation>(to_do[0]).which
        == protocol_violation::stray_progress);
}

TEST_CASE_METHOD(fixture, "an answer that nobody waits for is remarked") {
  ready();
  answer(7);
  REQUIRE(to_do.size() == 1);
  CHECK(std::get<calls::violation>(to_do[0]).which
        == protocol_violation::stray_answer);
}

TEST_CASE_METHOD(fixture, "each page of a listing has a deadline of its own") {
  ready();
  list(list_kind::tools);
  CHECK(written() == lines{"1 tools/list"});
  pass(60ms);
  answer(1, R"({"tools":[1],"nextCursor":"x"})");
  CHECK(written() == lines{R"(2 tools/list{"cursor":"x"})"});
  pass(60ms);
  answer(2, R"({"tools":[2]})");
  CHECK(answered() == lines{"1 [1,2]"});
}

TEST_CASE_METHOD(fixture, "a call that needs input is sent again with it") {
  ready(era::modern);
  call("tools/call", R"({"name":"t"})");
  written();
  answer(1, needs_roots);
  REQUIRE(to_do.size() == 1);
  const auto& needed = std::get<calls::need_input>(to_do[0]);
  take(machine.on_input(needed.call, {needed.key, needed.request},
                        parse_payload(R"({"roots":[]})")));
  CHECK(written()
        == lines{R"(2 tools/call{"name":"t","inputResponses":{"a":)"
                 R"({"roots":[]}},"requestState":"s"})"});
  answer(2, R"({"n":1})");
  CHECK(answered() == lines{R"(1 {"n":1})"});
}

TEST_CASE_METHOD(fixture, "an input that fails fails the call") {
  ready(era::modern);
  call("tools/call");
  answer(1, needs_roots);
  const auto needed = std::get<calls::need_input>(to_do.at(0));
  take(machine.on_input(needed.call, {needed.key, needed.request},
                        local_error(errc::handler_failed, "no")));
  CHECK(answered() == lines{"1 handler_failed"});
  // It may come later, too.
  take(machine.on_input(needed.call, {needed.key, needed.request},
                        parse_payload("{}")));
  CHECK(answered().empty());
}

TEST_CASE_METHOD(fixture, "the end of a pause is not a deadline") {
  options.request_timeout = 300ms;
  ready(era::modern);
  call("tools/call");
  written();
  answer(1, only_state);
  CHECK(machine.next_deadline() > start);
  pass(250ms);
  CHECK(answered().empty());
  CHECK(written() == lines{R"(2 tools/call{"requestState":"s"})"});
}

TEST_CASE_METHOD(fixture,
                 "rounds in which nobody is asked have one timeout together") {
  options.request_timeout = 1s;
  options.max_total_timeout = 1h;
  ready(era::modern);
  call("tools/call");
  answer(1, only_state);
  pass(250ms);
  answer(2, only_state);
  SECTION("which ends during a round") {
    pass(500ms);
    CHECK(answered().empty());
    pass(250ms);
  }
  SECTION("which ends during a pause") {
    pass(500ms);
    answer(3, only_state);
    CHECK(answered().empty());
    pass(250ms);
  }
  CHECK(answered() == lines{"1 request_timeout"});
}

TEST_CASE_METHOD(fixture, "the time that a user takes is not the server's") {
  options.request_timeout = 300ms;
  options.max_total_timeout = 1h;
  ready(era::modern);
  call("tools/call");
  answer(1, needs_roots);
  const auto needed = std::get<calls::need_input>(to_do.at(0));
  pass(1min);
  CHECK(answered().empty());
  take(machine.on_input(needed.call, {needed.key, needed.request},
                        parse_payload("{}")));
  pass(299ms);
  CHECK(answered().empty());
  pass(1ms);
  CHECK(answered() == lines{"1 request_timeout"});
}

TEST_CASE_METHOD(fixture, "a pause ends with the total timeout") {
  options.request_timeout = 1s;
  options.max_total_timeout = 200ms;
  ready(era::modern);
  call("tools/call");
  answer(1, R"({"resultType":"input_required","requestState":"s"})");
  pass(200ms);
  CHECK(answered() == lines{"1 max_total_timeout"});
}

TEST_CASE_METHOD(fixture, "a task is followed to its end") {
  ready(era::modern);
  call("tools/call");
  written();
  answer(1, R"({"resultType":"task","taskId":"x","pollIntervalMs":50})");
  pass(50ms);
  CHECK(written() == lines{R"(2 tasks/get{"taskId":"x"})"});
  answer(2, R"({"status":"working"})");
  pass(50ms);
  CHECK(written() == lines{R"(3 tasks/get{"taskId":"x"})"});
  answer(3, R"({"status":"completed","result":{"n":1}})");
  CHECK(answered() == lines{R"(1 {"n":1})"});
}

TEST_CASE_METHOD(fixture, "an answer about another task ends the call, and its "
                          "own task") {
  ready(era::modern);
  call("tools/call");
  answer(1, R"({"resultType":"task","taskId":"x","pollIntervalMs":50})");
  pass(50ms);
  written();
  answer(2, R"({"taskId":"y","status":"completed","result":{}})");
  CHECK(answered() == lines{"1 invalid_response"});
  CHECK(written() == lines{R"(3 tasks/cancel{"taskId":"x"})"});
}

TEST_CASE_METHOD(fixture, "a lost server fails what it may have got") {
  ready();
  call("a");
  call("b");
  call("c");
  written();
  port_closed closed;
  closed.messages_taken = 2;
  closed.unsent = {2};
  machine.on_port_closed(closed);
  machine.lose({});
  CHECK(answered() == lines{"1 connection_closed"});
  ready();
  CHECK(written() == lines{"2 b", "3 c"});
}

TEST_CASE_METHOD(fixture,
                 "what builds on an answer is never sent to another process") {
  const auto is_queued = GENERATE(true, false);
  options.request_timeout = 1s;
  ready(era::modern);
  std::string next;
  SECTION("a round with answers") {
    call("tools/call");
    answer(1, needs_roots);
    const auto needed = std::get<calls::need_input>(to_do.at(0));
    take(machine.on_input(needed.call, {needed.key, needed.request},
                          parse_payload("{}")));
    next = "tools/call";
  }
  SECTION("a round after a pause") {
    call("tools/call");
    answer(1, only_state);
    pass(250ms);
    next = "tools/call";
  }
  SECTION("a question about a task") {
    call("tools/call");
    answer(1, R"({"resultType":"task","taskId":"x","pollIntervalMs":50})");
    pass(50ms);
    next = "tasks/get";
  }
  SECTION("a later page") {
    list(list_kind::tools);
    answer(1, R"({"tools":[1],"nextCursor":"x"})");
    next = "tools/list";
  }
  auto messages = written();
  REQUIRE(messages.size() == 2);
  CHECK(messages[1].starts_with("2 " + next));
  port_closed closed; // not a byte of it was written
  if (is_queued) {
    closed.messages_taken = 2;
    closed.unsent = {2};
  } else {
    closed.messages_taken = 1; // it was still on the way to the port owner
  }
  machine.on_port_closed(closed);
  machine.lose({});
  CHECK(outcomes() == lines{"unknown"});
  ready(era::modern);
  CHECK(written().empty());
}

TEST_CASE_METHOD(fixture, "the first page goes to the next process") {
  ready();
  list(list_kind::tools);
  written();
  port_closed closed;
  closed.unsent = {1};
  machine.on_port_closed(closed);
  machine.lose({});
  CHECK(answered().empty());
  ready();
  CHECK(written() == lines{"1 tools/list"});
}

TEST_CASE_METHOD(fixture, "the end fails all calls") {
  ready();
  call("a");
  machine.end({});
  CHECK(answered() == lines{"1 connection_closed"});
  CHECK(machine.size() == 0);
}

TEST_CASE_METHOD(fixture, "requests of the connection itself have no caller") {
  ready();
  CHECK_FALSE(machine.has_callers());
  take(machine.send_own(request_purpose::unattended, 0, "x", {}));
  CHECK(written() == lines{"1 x"});
  CHECK_FALSE(machine.has_callers());
  pass(100ms);
  REQUIRE(to_do.size() == 1);
  CHECK(std::get<calls::own_over>(to_do[0]).error);
}

TEST_CASE_METHOD(fixture, "who waits to send a notification is a caller") {
  machine.notify({"x", {}}, {});
  CHECK(machine.has_callers());
  ready();
  CHECK(written() == lines{"x"});
  CHECK_FALSE(machine.has_callers());
}
