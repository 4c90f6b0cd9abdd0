// What a server sends, and what is sent to it, goes on with the digits it has:
// on every way through a connection.
#include "caf_mcp/messages/close_reason.hpp"

#include "tests/support/fake_port.hpp"

#include <catch2/catch_test_macros.hpp>

#include <string>
#include <string_view>

using namespace caf_mcp;
using tests::fake_port;
using tests::outcome;

namespace {

/// Numbers that no `boost::json::value` holds.
constexpr std::string_view numbers
  = R"({"n":123456789012345678901234567890,)"
    R"("f":0.1000000000000000055511151231257827,"z":-0,"e":1e400})";

/// Returns `text` with each `#` replaced by the numbers.
std::string with_numbers(std::string_view text) {
  std::string result;
  for (auto c : text)
    if (c == '#')
      result += numbers;
    else
      result += c;
  return result;
}

bool has_numbers(std::string_view text) {
  return text.find(numbers) != std::string_view::npos;
}

/// A connection whose user answers with the numbers, and keeps what was asked.
struct numbers_port : fake_port {
  numbers_port() {
    answers.elicit_form = handler_function{
      [this](const server_request& request) -> caf::expected<payload> {
        asked = request.params.to_json();
        return parse_payload(
          with_numbers(R"({"action":"accept","content":{"given":#}})"));
      }};
  }

  void notify_numbers(std::string method, std::string_view params) {
    notify(std::move(method), with_numbers(params));
  }

  void answer_numbers(std::int64_t id, std::string_view result) {
    answer(id, with_numbers(result));
  }

  std::string asked;
};

/// A form that has a default beside what the user gives.
constexpr auto form = R"({"message":"m","extra":#,"requestedSchema":
  {"type":"object","properties":{"given":{},"left":{"default":#}}}})";

} // namespace

TEST_CASE_METHOD(numbers_port, "a call and its result keep their numbers") {
  connect_legacy();
  auto called = call("tools/call", with_numbers(R"({"arguments":#})"));
  CHECK(has_numbers(written()));
  answer_numbers(2, R"({"structuredContent":#})");
  CHECK(has_numbers(outcome(called)));
}

TEST_CASE_METHOD(numbers_port, "an error keeps its numbers") {
  connect_legacy();
  auto called = call("tools/call");
  written();
  say({incoming_response{
    2,
    id_match::exact,
    {},
    parse_payload(with_numbers(R"({"code":-1,"message":"m","data":#})"))}});
  std::string data;
  std::move(called).receive(
    [](const payload&) {},
    [&](const caf::error& error) { data = describe(error).data.to_json(); });
  CHECK(has_numbers(data));
}

TEST_CASE_METHOD(numbers_port, "all pages of a list keep their numbers") {
  connect_legacy();
  auto listed = ask(list_all{list_kind::tools});
  written();
  answer_numbers(2, R"({"tools":[{"name":"a","_meta":#}],"nextCursor":"c"})");
  written();
  answer_numbers(3, R"({"tools":[{"name":"b"},{"name":"c","_meta":#}]})");
  CHECK(outcome(listed)
        == with_numbers(R"([{"name":"a","_meta":#},{"name":"b"},)"
                        R"({"name":"c","_meta":#}])"));
}

TEST_CASE_METHOD(numbers_port, "an event keeps its numbers") {
  connect_legacy();
  listen_filter filter;
  filter.log = log_level::info;
  ask(
    caf_mcp::listen{filter, {}, caf::actor_cast<caf::strong_actor_ptr>(*self)})
    .receive([](std::uint64_t) {}, [](const caf::error&) {});
  written();
  (*self)->receive([](const subscription_accepted&) {});
  notify_numbers("notifications/message", R"({"level":"error","data":#})");
  std::string seen;
  (*self)->receive([&](const subscription_event& news) {
    seen = news.event.params.to_json();
  });
  CHECK(has_numbers(seen));
}

TEST_CASE_METHOD(numbers_port,
                 "a request of the server and its answer keep their numbers") {
  connect_legacy();
  say({incoming_request{"7", "elicitation/create",
                        parse_payload(with_numbers(form))}});
  CHECK(written()
        == with_numbers(
          R"(respond 7 {"action":"accept","content":{"given":#,"left":#}})"));
  CHECK(asked == parse_payload(with_numbers(form)).to_json());
}

TEST_CASE_METHOD(numbers_port, "rounds of input keep their numbers") {
  connect_modern();
  auto called
    = call("tools/call", with_numbers(R"({"name":"t","arguments":#})"));
  written();
  answer_numbers(2, R"({"resultType":"input_required","requestState":"s",
    "inputRequests":{"k":{"method":"elicitation/create","params":)"
                      + std::string{form} + "}}}");
  CHECK(written()
        == with_numbers(
          R"(request 3 tools/call {"name":"t","arguments":#,)"
          R"("inputResponses":{"k":{"action":"accept","content":{"given":#,)"
          R"("left":#}}},"requestState":"s"})"));
  CHECK(asked == parse_payload(with_numbers(form)).to_json());
  answer_numbers(3, R"({"resultType":"complete","structuredContent":#})");
  CHECK(has_numbers(outcome(called)));
}

TEST_CASE_METHOD(numbers_port, "a task keeps its numbers") {
  connect_modern();
  auto called = call("tools/call", R"({"name":"t"})");
  written();
  answer(2, R"({"resultType":"task","taskId":"x","status":"working",
    "pollIntervalMs":20})");
  CHECK(written() == R"(request 3 tasks/get {"taskId":"x"})");
  answer_numbers(3, R"({"status":"input_required","inputRequests":{
    "k":{"method":"elicitation/create","params":)"
                      + std::string{form} + "}}}");
  CHECK(written()
        == with_numbers(
          R"(request 4 tasks/update {"taskId":"x","inputResponses":{"k":)"
          R"({"action":"accept","content":{"given":#,"left":#}}}})"));
  CHECK(asked == parse_payload(with_numbers(form)).to_json());
  answer(4, R"({"resultType":"complete"})");
  CHECK(written() == R"(request 5 tasks/get {"taskId":"x"})");
  answer_numbers(5, R"({"status":"completed","result":{"content":[],"d":#}})");
  CHECK(outcome(called) == with_numbers(R"({"content":[],"d":#})"));
}

TEST_CASE_METHOD(numbers_port,
                 "what a server says of itself keeps its numbers") {
  options.mode = era_mode::legacy;
  spawn();
  auto opened = ask(open_connection{});
  open();
  written();
  answer_numbers(1, R"({"protocolVersion":"2025-11-25",
    "capabilities":{"experimental":#},"serverInfo":{"name":"s","more":#}})");
  std::string seen;
  std::move(opened).receive(
    [&](const session_info& info) {
      seen = info.capabilities.to_json() + info.server_info.to_json();
    },
    [](const caf::error&) {});
  CHECK(seen == with_numbers(R"({"experimental":#}{"name":"s","more":#})"));
}

TEST_CASE_METHOD(numbers_port, "a refused handshake keeps its numbers") {
  options.mode = era_mode::legacy;
  options.max_reconnects = 0;
  spawn();
  auto opened = ask(open_connection{});
  open();
  written();
  say({incoming_response{
    1,
    id_match::exact,
    {},
    parse_payload(with_numbers(R"({"code":-1,"message":"m","data":#})"))}});
  std::string data;
  std::move(opened).receive(
    [](const session_info&) {},
    [&](const caf::error& error) { data = describe(error).data.to_json(); });
  CHECK(has_numbers(data));
  SECTION("and so does the error of what is asked later") {
    call("tools/call")
      .receive([](const payload&) {},
               [&](const caf::error& error) {
                 data = describe(error).data.to_json();
               });
    CHECK(has_numbers(data));
  }
}
