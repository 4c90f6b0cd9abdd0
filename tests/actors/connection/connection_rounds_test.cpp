// Requests that take more than one message: pages, input, tasks; and what is
// kept of their results.
#include "tests/support/fake_port.hpp"

#include <catch2/catch_test_macros.hpp>

#include <string>

using namespace caf_mcp;
using namespace std::chrono_literals;
using tests::done;
using tests::fake_port;
using tests::outcome;
using tests::with_tag;

namespace {

constexpr std::string_view needs_roots = R"({"resultType":"input_required",
  "inputRequests":{"a":{"method":"roots/list"}},"requestState":"s"})";

constexpr std::string_view task
  = R"({"resultType":"task","taskId":"x","pollIntervalMs":20})";

/// A modern server, and a handler for roots.
struct modern_port : fake_port {
  modern_port() {
    answers.roots = tests::always(R"({"roots":[]})");
    options.max_cached_responses = 10;
    spawn();
    auto opened = ask(open_connection{});
    open();
    CHECK(written().starts_with("request 1 server/discover"));
    answer(1, R"({"capabilities":{"tools":{},"resources":{}},
                  "supportedVersions":["2026-07-28"]})");
    std::move(opened).receive(
      [](const session_info&) {},
      [](const caf::error& error) { FAIL(to_string(error)); });
  }
};

} // namespace

TEST_CASE_METHOD(fake_port, "all pages of a list are one answer") {
  connect_legacy();
  auto listed = ask(list_all{list_kind::tools});
  CHECK(written() == "request 2 tools/list");
  answer(2, R"({"tools":[1,2],"nextCursor":"x"})");
  CHECK(written() == R"(request 3 tools/list {"cursor":"x"})");
  answer(3, R"({"tools":[3]})");
  CHECK(outcome(listed) == "[1,2,3]");
}

TEST_CASE_METHOD(fake_port, "a page that is none fails the list") {
  connect_legacy();
  auto listed = ask(list_all{list_kind::tools});
  CHECK(written() == "request 2 tools/list");
  answer(2, R"({"items":[]})");
  CHECK(outcome(listed).starts_with("invalid_response"));
}

TEST_CASE_METHOD(fake_port, "a list that its server lacks is empty") {
  connect_legacy();
  CHECK(outcome(ask(list_all{list_kind::prompts})) == "[]");
  CHECK(wrote_nothing());
}

TEST_CASE_METHOD(fake_port, "a cancellation ends a list at its current page") {
  connect_legacy();
  auto listed = ask(list_all{list_kind::tools, 10, with_tag(7)});
  written();
  answer(2, R"({"tools":[1],"nextCursor":"x"})");
  CHECK(written() == R"(request 3 tools/list {"cursor":"x"})");
  CHECK(done(ask(cancel_request{7, ""})) == "ok");
  CHECK(written() == R"(notify notifications/cancelled {"requestId":3})");
  CHECK(outcome(listed).starts_with("cancelled"));
}

TEST_CASE_METHOD(modern_port, "a handler gives the input that a call needs") {
  auto called = call("tools/call", R"({"name":"t"})");
  CHECK(written() == R"(request 2 tools/call {"name":"t"})");
  answer(2, needs_roots);
  CHECK(written()
        == R"(request 3 tools/call {"name":"t","inputResponses":{"a":)"
           R"({"roots":[]}},"requestState":"s"})");
  answer(3, R"({"n":1})");
  CHECK(outcome(called) == R"({"n":1})");
}

TEST_CASE_METHOD(modern_port, "input that nobody here gives fails the call") {
  auto called = call("tools/call");
  written();
  answer(2, R"({"resultType":"input_required",
    "inputRequests":{"a":{"method":"elicitation/create"}}})");
  CHECK(outcome(called).starts_with("capability_missing"));
  CHECK(wrote_nothing());
}

TEST_CASE_METHOD(modern_port, "input may be left to the caller") {
  request_options chosen;
  chosen.input = input_policy::hand_over;
  auto called = call("tools/call", "{}", chosen);
  written();
  answer(2, R"({"resultType":"input_required","requestState":"s"})");
  CHECK(outcome(called)
        == R"({"resultType":"input_required","requestState":"s"})");
}

TEST_CASE_METHOD(modern_port,
                 "a server asks for input a limited number of times") {
  auto called = call("tools/call");
  written();
  for (std::int64_t id = 2; id < 12; ++id) {
    answer(id, needs_roots);
    CHECK(written().starts_with("request " + std::to_string(id + 1)));
  }
  answer(12, needs_roots);
  CHECK(outcome(called).starts_with("too_many_input_rounds"));
}

TEST_CASE_METHOD(modern_port,
                 "a lost server fails a call that waits for input") {
  auto called = call("tools/call");
  written();
  answer(2, R"({"resultType":"input_required","requestState":"s"})");
  die();
  CHECK(outcome(called).starts_with("connection_closed"));
}

TEST_CASE_METHOD(modern_port, "a task is followed to its result") {
  auto called = call("tools/call");
  CHECK(written() == "request 2 tools/call {}");
  answer(2, task);
  CHECK(written() == R"(request 3 tasks/get {"taskId":"x"})");
  answer(3, R"({"status":"working"})");
  CHECK(written() == R"(request 4 tasks/get {"taskId":"x"})");
  answer(4, R"({"status":"completed","result":{"n":1}})");
  CHECK(outcome(called) == R"({"n":1})");
}

TEST_CASE_METHOD(modern_port, "a cancelled call cancels its task") {
  auto called = call("tools/call", "{}", with_tag(7));
  CHECK(written() == "request 2 tools/call {}");
  answer(2, task);
  CHECK(written() == R"(request 3 tasks/get {"taskId":"x"})");
  CHECK(done(ask(cancel_request{7, ""})) == "ok");
  CHECK(outcome(called).starts_with("cancelled"));
  CHECK(written() == R"(request 4 tasks/cancel {"taskId":"x"})");
}

TEST_CASE_METHOD(modern_port, "a task that comes after the cancellation ends") {
  auto called = call("tools/call", "{}", with_tag(7));
  CHECK(written() == "request 2 tools/call {}");
  CHECK(done(ask(cancel_request{7, ""})) == "ok");
  CHECK(written().starts_with("notify notifications/cancelled"));
  answer(2, task);
  CHECK(written() == R"(request 3 tasks/cancel {"taskId":"x"})");
  // Said twice, it is no other task.
  answer(2, task);
  CHECK(wrote_nothing());
}

TEST_CASE_METHOD(modern_port, "a task of nobody's call is left alone") {
  auto called = call("tools/call");
  CHECK(written() == "request 2 tools/call {}");
  answer(2);
  CHECK(outcome(called) == "{}");
  answer(2, task);
  CHECK(wrote_nothing());
}

TEST_CASE_METHOD(modern_port, "a result is kept as long as its server allows") {
  auto first = call("tools/list");
  CHECK(written() == "request 2 tools/list {}");
  answer(2, R"({"tools":[1],"ttlMs":60000})");
  CHECK(outcome(first) == R"({"tools":[1],"ttlMs":60000})");
  CHECK(outcome(call("tools/list")) == R"({"tools":[1],"ttlMs":60000})");
  CHECK(wrote_nothing());
}

TEST_CASE_METHOD(modern_port, "a list of before its change is not kept") {
  auto first = call("tools/list");
  CHECK(written() == "request 2 tools/list {}");
  notify("notifications/tools/list_changed");
  answer(2, R"({"tools":["old"],"ttlMs":60000})");
  CHECK(outcome(first) == R"({"tools":["old"],"ttlMs":60000})");
  auto second = call("tools/list");
  CHECK(written() == "request 3 tools/list {}");
  answer(3, R"({"tools":["new"],"ttlMs":60000})");
  CHECK(outcome(second) == R"({"tools":["new"],"ttlMs":60000})");
  CHECK(outcome(call("tools/list")) == R"({"tools":["new"],"ttlMs":60000})");
}

TEST_CASE_METHOD(modern_port, "a resource of before its update is not kept") {
  const auto* params = R"({"uri":"a:b"})";
  auto first = call("resources/read", params);
  CHECK(written() == R"(request 2 resources/read {"uri":"a:b"})");
  notify("notifications/resources/updated", params);
  answer(2, R"({"n":1,"ttlMs":60000})");
  CHECK(outcome(first) == R"({"n":1,"ttlMs":60000})");
  auto second = call("resources/read", params);
  CHECK(written() == R"(request 3 resources/read {"uri":"a:b"})");
}

TEST_CASE_METHOD(modern_port,
                 "a result that a user's answers led to is not kept") {
  const auto* params = R"({"uri":"a:b"})";
  auto first = call("resources/read", params);
  CHECK(written() == R"(request 2 resources/read {"uri":"a:b"})");
  answer(2, needs_roots);
  CHECK(written().starts_with("request 3 resources/read"));
  answer(3, R"({"secret":1,"ttlMs":60000})");
  CHECK(outcome(first) == R"({"secret":1,"ttlMs":60000})");
  // Neither under the params of the caller nor under those with the answers.
  auto second = call("resources/read", params);
  CHECK(written() == R"(request 4 resources/read {"uri":"a:b"})");
  auto third = call("resources/read",
                    R"({"uri":"a:b","inputResponses":{"a":{"roots":[]}},)"
                    R"("requestState":"s"})");
  CHECK(written().starts_with("request 5 resources/read"));
  answer(5, R"({"secret":1,"ttlMs":60000})");
  CHECK(outcome(third) == R"({"secret":1,"ttlMs":60000})");
  auto fourth = call("resources/read",
                     R"({"uri":"a:b","inputResponses":{"a":{"roots":[]}},)"
                     R"("requestState":"s"})");
  CHECK(written().starts_with("request 6 resources/read"));
}
