// Calls of the modern era that need input before they are answered.
#include "tests/support/player.hpp"
#include "tests/support/wait_until.hpp"

#include <catch2/catch_test_macros.hpp>

#include <atomic>
#include <condition_variable>
#include <mutex>

using namespace caf_mcp;
using namespace std::chrono_literals;
using tests::call_t;
using tests::failure;
using tests::host;
using tests::player;
using tests::value;
using tests::wait_until;

namespace {

server_options modern_demo() {
  return host::program("demo-server", {"--era", "modern"});
}

handler_function always(std::string_view result) {
  return
    [answer = parse_payload(result)](const server_request&) { return answer; };
}

handlers all_handlers() {
  handlers result;
  result.sampling = always(R"({"role":"assistant","model":"m"})");
  result.elicit_form
    = always(R"({"action":"accept","content":{"name":"Ada"}})");
  result.roots = always(R"({"roots":[]})");
  return result;
}

/// Waits until it is stopped; counts.
struct endless_handler {
  std::atomic<int> started = 0;
  std::atomic<int> stopped = 0;

  blocking_handler_function function() {
    return [this](const server_request&,
                  const std::stop_token& stop) -> caf::expected<payload> {
      ++started;
      std::mutex mutex;
      std::condition_variable_any never;
      std::unique_lock guard{mutex};
      never.wait(guard, stop, [] { return false; });
      ++stopped;
      return payload{};
    };
  }
};

/// Returns when it is released, and not before.
struct stubborn_handler {
  std::atomic<bool> is_free = false;
  std::atomic<int> started = 0;
  std::atomic<int> running = 0;
  std::atomic<int> running_most = 0;

  blocking_handler_function function() {
    return [this](const server_request&,
                  const std::stop_token&) -> caf::expected<payload> {
      ++started;
      const auto now = ++running;
      for (auto most = running_most.load();
           most < now && !running_most.compare_exchange_weak(most, now);) {
        // somebody else has set it
      }
      wait_until([this] { return is_free.load(); }, 60s);
      --running;
      return parse_payload(R"({"role":"assistant"})");
    };
  }
};

} // namespace

TEST_CASE("the handlers answer what a modern server requires") {
  host app;
  auto server = app.open(modern_demo(), all_handlers());
  auto answer = [&](const char* tool) {
    return value(ask(*app.self, server, call_tool(tool)))
      .member("structuredContent")
      .to_json();
  };
  CHECK(answer("ask")
        == R"({"action":"accept","content":{"name":"Ada","age":42}})");
  CHECK(answer("sample") == R"({"role":"assistant","model":"m"})");
  CHECK(answer("roots") == R"({"roots":[]})");
}

TEST_CASE("one call may ask again and again") {
  host app;
  auto server = app.open(modern_demo(), all_handlers());
  auto result
    = value(ask(*app.self, server, call_tool("ask", {{"rounds", 10}})));
  CHECK(result.member("structuredContent").string_member("action") == "accept");
  auto info
    = failure(ask(*app.self, server, call_tool("ask", {{"rounds", 11}})));
  CHECK(info.name == "too_many_input_rounds");
  CHECK(info.data.member("maxInputRounds").value() == 10);
}

TEST_CASE("answers go back bare under their keys, the state untouched") {
  player script{"input-rounds"};
  host app;
  auto server = app.open(script.options(), all_handlers());
  value(call_t(app, server));
  CHECK(script.checks_hold());
  std::vector<boost::json::value> ids;
  for (const auto& event : script.log())
    if (event.at("ev").as_string() == "recv"
        && event.at("method") == "tools/call")
      ids.push_back(event.at("id"));
  REQUIRE(ids.size() == 2);
  CHECK(ids[0] != ids[1]);
  for (const auto& event : script.log())
    if (event.at("ev").as_string() == "recv")
      CHECK(parse_payload(event.at("line").as_string())
              .member("params")
              .member("_meta")
              .member("io.modelcontextprotocol/clientCapabilities")
              .to_json()
            == R"({"sampling":{},"elicitation":{"form":{}},"roots":{},)"
               R"("extensions":{"io.modelcontextprotocol/tasks":{}}})");
}

TEST_CASE("what a server asks for at a time is answered side by side") {
  player script{"input-side-by-side"};
  std::atomic<int> started = 0;
  auto meets_the_other = [&](std::string_view result) {
    return [&started, answer = parse_payload(result)](
             const server_request&,
             const std::stop_token&) -> caf::expected<payload> {
      ++started;
      if (!wait_until([&] { return started == 2; }))
        return refuse(-1, "alone");
      return answer;
    };
  };
  host app;
  handlers answers;
  answers.roots = meets_the_other(R"({"roots":[]})");
  answers.sampling = meets_the_other(R"({"role":"assistant"})");
  auto server = app.open(script.options(), answers);
  value(call_t(app, server));
  CHECK(script.checks_hold());
}

TEST_CASE("of many inputs at once, those above the limit wait") {
  player script{"input-many"};
  stubborn_handler stubborn;
  host app;
  handlers answers;
  answers.sampling = stubborn.function();
  auto server = app.open(script.options(), answers);
  auto pending = ask(app.self->ptr(), server, call_tool("t"));
  CHECK(wait_until([&] { return stubborn.started == 16; }));
  stubborn.is_free = true;
  auto is_answered = false;
  std::move(pending).receive([&](payload&) { is_answered = true; },
                             [](caf::error&) {});
  CHECK(is_answered);
  CHECK(script.checks_hold());
  CHECK(stubborn.started == 40);
  CHECK(stubborn.running_most == 16);
}

TEST_CASE("a handler of a cancelled call counts until it has returned") {
  stubborn_handler stubborn;
  host app;
  handlers answers;
  answers.sampling = stubborn.function();
  auto options = modern_demo();
  options.max_server_requests = 1;
  auto server = app.open(options, answers);
  auto call = [&](caf::scoped_actor& self, std::uint64_t tag) {
    request_options own;
    own.tag = tag;
    return ask(self.ptr(), server, call_tool("sample", {}, own));
  };
  caf::scoped_actor first{app.system()};
  caf::scoped_actor second{app.system()};
  caf::scoped_actor third{app.system()};
  auto running = call(first, 1);
  REQUIRE(wait_until([&] { return stubborn.started == 1; }));
  auto waiting = call(second, 2);
  auto last = call(third, 3);
  REQUIRE(ask(first, server, cancel_request{1, ""}));
  REQUIRE(ask(second, server, cancel_request{2, ""}));
  std::move(running).receive([](payload&) {}, [](caf::error&) {});
  std::move(waiting).receive([](payload&) {}, [](caf::error&) {});
  stubborn.is_free = true;
  auto is_answered = false;
  std::move(last).receive([&](payload&) { is_answered = true; },
                          [](caf::error&) {});
  CHECK(is_answered);
  CHECK(stubborn.running_most == 1);
  CHECK(stubborn.started == 2);
}

TEST_CASE("the answer after the last round allowed counts") {
  player script{"input-round-limit"};
  host app;
  auto options = script.options();
  options.max_input_rounds = 3;
  auto server = app.open(options);
  value(call_t(app, server));
}

TEST_CASE("a call that only has to wait is paced") {
  player script{"input-state-only"};
  host app;
  auto server = app.open(script.options());
  auto begin = std::chrono::steady_clock::now();
  value(call_t(app, server));
  CHECK(std::chrono::steady_clock::now() - begin >= 750ms);
  CHECK(script.checks_hold());
}

TEST_CASE("nothing of a call's input leaks into another request") {
  player script{"input-without-state"};
  host app;
  auto server = app.open(script.options(), all_handlers());
  value(call_t(app, server));
  value(call_t(app, server));
  CHECK(script.checks_hold());
}

TEST_CASE("a caller may answer by himself") {
  host app;
  auto server = app.open(modern_demo(), all_handlers());
  request_options manual;
  manual.input = input_policy::hand_over;
  auto asked = value(ask(*app.self, server, call_tool("ask", {}, manual)));
  REQUIRE(asked.string_member("resultType") == "input_required");
  auto again = call_tool("ask", {}, manual);
  auto params = again.params.value().as_object();
  params["requestState"] = asked.member("requestState").value();
  params["inputResponses"]
    = boost::json::object{{"answer", {{"action", "decline"}}}};
  again.params = payload{boost::json::value(std::move(params))};
  CHECK(value(ask(*app.self, server, again))
          .member("structuredContent")
          .string_member("action")
        == "decline");
}

TEST_CASE("input that nobody here can give fails the call") {
  player script{"input-forever"};
  host app;
  auto server = app.open(script.options());
  auto info = failure(call_t(app, server));
  CHECK(info.origin == error_origin::local);
  CHECK(info.name == "capability_missing");
  CHECK(info.data.string_member("inputMethod") == "roots/list");
  CHECK(info.data.string_member("inputKey") == "a");
}

TEST_CASE("a server that knows what was not declared says so") {
  host app;
  auto server = app.open(modern_demo());
  auto info = failure(ask(*app.self, server, call_tool("ask")));
  CHECK(info.origin == error_origin::peer);
  CHECK(info.code == -32021);
}

TEST_CASE("a handler that fails or refuses fails the call") {
  host app;
  auto answers = all_handlers();
  answers.sampling = [](const server_request&) -> caf::expected<payload> {
    return refuse(-1, "User rejected sampling request");
  };
  auto server = app.open(modern_demo(), answers);
  auto info = failure(ask(*app.self, server, call_tool("sample")));
  CHECK(info.origin == error_origin::local);
  CHECK(info.name == "handler_failed");
  CHECK(info.message.find("User rejected") != std::string::npos);
}

TEST_CASE("one total limit holds for all rounds of a call") {
  player script{"input-forever"};
  host app;
  auto options = script.options();
  options.max_input_rounds = 1'000'000;
  auto server = app.open(options, all_handlers());
  request_options limited;
  limited.max_total_timeout = 300ms;
  auto info = failure(call_t(app, server, limited));
  CHECK(info.name == "max_total_timeout");
  CHECK(info.data.member("maxTotalTimeoutMs").value() == 300);
}

TEST_CASE("the time a person takes is not the server's") {
  host app;
  auto answers = all_handlers();
  std::atomic<bool> is_free = false;
  answers.elicit_form
    = [&](const server_request&,
          const std::stop_token& stop) -> caf::expected<payload> {
    wait_until([&] { return is_free || stop.stop_requested(); });
    return parse_payload(R"({"action":"cancel"})");
  };
  auto server = app.open(modern_demo(), answers);
  request_options brief;
  brief.timeout = 200ms;
  auto pending = ask(app.self->ptr(), server, call_tool("ask", {}, brief));
  request_options expires;
  expires.timeout = 400ms; // a clock that the connection keeps
  CHECK(
    failure(ask(*app.self, server, call_tool("slow", {{"ms", 60000}}, expires)))
      .name
    == "request_timeout");
  is_free = true;
  auto is_answered = false;
  std::move(pending).receive([&](payload&) { is_answered = true; },
                             [](caf::error&) {});
  CHECK(is_answered);
}

TEST_CASE("whatever ends the call stops its handlers") {
  host app;
  endless_handler endless;
  auto answers = all_handlers();
  answers.elicit_form = endless.function();
  auto server = app.open(modern_demo(), answers);
  request_options options;
  options.tag = 7;
  SECTION("its timeout") {
    options.max_total_timeout = 100ms;
    CHECK(failure(ask(*app.self, server, call_tool("ask", {}, options))).name
          == "max_total_timeout");
  }
  SECTION("its caller") {
    auto pending = ask(app.self->ptr(), server, call_tool("ask", {}, options));
    REQUIRE(wait_until([&] { return endless.started == 1; }));
    REQUIRE(ask(*app.self, server, cancel_request{7, ""}));
    std::string name;
    std::move(pending).receive(
      [](payload&) {}, [&](caf::error& error) { name = describe(error).name; });
    CHECK(name == "cancelled");
  }
  SECTION("its caller's death") {
    {
      caf::scoped_actor caller{app.system()};
      ask(caller.ptr(), server, call_tool("ask", {}, options));
      REQUIRE(wait_until([&] { return endless.started == 1; }));
    }
  }
  SECTION("the loss of its server") {
    auto pending = ask(app.self->ptr(), server, call_tool("ask", {}, options));
    REQUIRE(wait_until([&] { return endless.started == 1; }));
    CHECK_FALSE(ask(*app.self, server, call_tool("crash", {{"status", 1}})));
    error_info info;
    std::move(pending).receive(
      [](payload&) {}, [&](caf::error& error) { info = describe(error); });
    CHECK(info.name == "connection_closed");
    CHECK(info.data.string_member("outcome") == "unknown");
  }
  CHECK(wait_until([&] { return endless.stopped == 1; }));
}
