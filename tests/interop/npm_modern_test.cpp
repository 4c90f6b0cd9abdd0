// What a server of the official SDK does in the modern era, beside plain calls.
#include "tests/support/host.hpp"
#include "tests/support/listening.hpp"
#include "tests/support/sdk_server.hpp"
#include "tests/support/wait_until.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include <csignal>
#include <string>
#include <vector>

using namespace caf_mcp;
using namespace std::chrono_literals;
using tests::failure;
using tests::first_text;
using tests::heard;
using tests::host;
using tests::value;

namespace {

handler_function always(std::string_view result) {
  return
    [answer = parse_payload(result)](const server_request&) { return answer; };
}

handlers all_handlers() {
  handlers result;
  result.elicit_form = always(R"({"action":"accept","content":{"name":"A"}})");
  result.elicit_url = always(R"({"action":"accept"})");
  result.roots = always(R"({"roots":[{"uri":"file:///a"}]})");
  result.sampling = always(R"({"role":"assistant","model":"m",)"
                           R"("content":{"type":"text","text":"yo"}})");
  return result;
}

connection open_modern(host& app) {
  return app.open(tests::sdk_server({"--modern"}), all_handlers());
}

std::string call(host& app, const connection& server, std::string_view tool,
                 boost::json::object arguments = {}) {
  return first_text(value(ask(
    *app.self, server, call_tool(std::string{tool}, std::move(arguments)))));
}

} // namespace

TEST_CASE("an SDK server gets every kind of input in one round", "[npm]") {
  host app;
  auto server = open_modern(app);
  auto answers = parse_payload(call(app, server, "ask_all"));
  CHECK(answers.member("page").to_json() == R"({"action":"accept"})");
  CHECK(answers.member("roots").to_json()
        == R"({"roots":[{"uri":"file:///a"}]})");
  CHECK(answers.member("sample").to_json()
        == R"({"role":"assistant","model":"m",)"
           R"("content":{"type":"text","text":"yo"}})");
}

TEST_CASE("resources and prompts of an SDK server may ask, too", "[npm]") {
  host app;
  auto server = open_modern(app);
  auto read = value(ask(*app.self, server, read_resource("test://private")));
  CHECK(read.value().at("contents").at(0).at("text") == "accept");
  auto prompt = value(ask(*app.self, server, get_prompt("personal")));
  CHECK(prompt.value().at("messages").at(0).at("content").at("text")
        == "accept");
}

TEST_CASE("an SDK server reports progress and logs for a call", "[npm]") {
  host app;
  auto server = open_modern(app);
  caf::scoped_actor log{app.system()};
  caf_mcp::listen message;
  message.filter.log = log_level::info;
  value(ask(log, server, message));
  CHECK(heard(log) == "accepted log=info");
  request_options curious;
  curious.wants_progress = true;
  value(ask(*app.self, server, call_tool("work", {{"steps", 3}}, curious)));
  for (auto i = 1; i <= 3; ++i)
    (*app.self)->receive([&](const progress& x) {
      CHECK(x.value == i);
      CHECK(x.total == 3);
      CHECK(x.message == "step " + std::to_string(i));
    });
  CHECK(heard(log) == "event log_message info: worked 3");
}

TEST_CASE("an SDK server hears that a call is cancelled", "[npm]") {
  host app;
  auto server = open_modern(app);
  request_options brief;
  brief.timeout = 100ms;
  CHECK(failure(ask(*app.self, server, call_tool("wait", {}, brief))).name
        == "request_timeout");
  CHECK(
    tests::wait_until([&] { return call(app, server, "cancelled") == "1"; }));
}

TEST_CASE("an SDK server sees the trace context of a call", "[npm]") {
  host app;
  auto server = open_modern(app);
  auto traced = call_tool("meta");
  auto params = traced.params.value().as_object();
  params["_meta"] = boost::json::object{{"traceparent", "00-0af7-b7ad-01"}};
  traced.params = payload{boost::json::value(params)};
  CHECK(first_text(value(ask(*app.self, server, traced)))
        == R"({"traceparent":"00-0af7-b7ad-01"})");
}

TEST_CASE("an SDK server completes arguments", "[npm]") {
  host app;
  auto server = open_modern(app);
  auto completed = value(
    ask(*app.self, server, complete({"ref/prompt", "colour"}, "colour", "r")));
  CHECK(completed.member("completion").member("values").to_json()
        == R"(["red","rose"])");
}

TEST_CASE("structured results of an SDK server fit its schema", "[npm]") {
  host app;
  auto server = open_modern(app);
  value(ask(*app.self, server, list_all{}));
  auto sum
    = value(ask(*app.self, server, call_tool("add", {{"a", 2}, {"b", 40}})));
  CHECK(sum.member("structuredContent").to_json() == R"({"sum":42})");
}

TEST_CASE("an SDK server is listened to again after it was lost",
          "[npm][listen]") {
  host app;
  auto server = open_modern(app);
  caf_mcp::listen message;
  message.filter = {false, true, true, {"test://greeting"}, {}};
  message.options.credit = 1000;
  value(ask(*app.self, server, message));
  CHECK(heard(*app.self) == "accepted prompts resources test://greeting");
  auto expect_events = [&] {
    CHECK(call(app, server, "touch_all") == "touched");
    std::vector<std::string> events;
    for (auto i = 0; i < 3; ++i)
      events.push_back(heard(*app.self));
    CHECK(events
          == std::vector<std::string>{
            "event prompts_changed", "event resources_changed",
            "event resource_updated test://greeting"});
  };
  expect_events();
  auto pid = value(ask(*app.self, server, get_session{})).pid;
  ::kill(static_cast<pid_t>(pid), SIGKILL);
  CHECK(heard(*app.self) == "resumed prompts resources test://greeting");
  expect_events();
}
