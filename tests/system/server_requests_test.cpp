// What a server of the legacy era asks this side.
#include "tests/support/paths.hpp"
#include "tests/support/player.hpp"
#include "tests/support/wait_until.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <caf/typed_event_based_actor.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <stdexcept>
#include <thread>

using namespace caf_mcp;
using namespace std::chrono_literals;
using tests::call_t;
using tests::host;
using tests::player;
using tests::value;
using tests::wait_until;

namespace {

payload json(std::string_view text) {
  return parse_payload(text);
}

server_options legacy_demo() {
  return host::program("demo-server", {"--era", "legacy"});
}

/// The answer that the demo server got, as it stands in its result.
std::string structured(const payload& result) {
  return result.member("structuredContent").to_json();
}

/// The error that the demo server got, as it stands in its result.
payload told_error(const payload& result) {
  const auto text = std::string{
    result.value().at("content").as_array().at(0).at("text").as_string()};
  INFO(text);
  REQUIRE(text.find('{') != std::string::npos);
  return json(std::string_view{text}.substr(text.find('{')));
}

handler_function always(std::string_view result) {
  return [answer = json(result)](const server_request&) { return answer; };
}

/// A handler that blocks until it is told to stop, or released.
class held_handler {
public:
  blocking_handler_function function(std::string_view result = "{}") {
    return [this, answer = json(result)](
             const server_request&,
             const std::stop_token& stop) -> caf::expected<payload> {
      ++started;
      std::unique_lock guard{mutex_};
      changed_.wait(guard, stop, [this] { return is_free_; });
      if (stop.stop_requested())
        ++stopped;
      return answer;
    };
  }

  void let_go() {
    std::unique_lock guard{mutex_};
    is_free_ = true;
    changed_.notify_all();
  }

  std::atomic<int> started = 0;
  std::atomic<int> stopped = 0;

private:
  std::mutex mutex_;
  std::condition_variable_any changed_;
  bool is_free_ = false;
};

/// A handler whose code returns when it is released, and not before.
class stubborn_handler {
public:
  caf::expected<payload> operator()() {
    ++started;
    wait_until([this] { return is_free.load(); }, 60s);
    return json(R"({"role":"assistant"})");
  }

  std::atomic<bool> is_free = false;
  std::atomic<int> started = 0;
};

/// Calls `t` without waiting for the answer.
auto start_call(caf::scoped_actor& self, const connection& server) {
  return ask(self.ptr(), server, call_tool("t"));
}

template <class Pending>
std::string outcome(Pending pending) {
  std::string result;
  std::move(pending).receive(
    [&](payload&) { result = "ok"; },
    [&](caf::error& error) { result = describe(error).name; });
  return result;
}

/// Returns the answers with this error code that a server got.
std::size_t errors(const player& script, std::int64_t code) {
  std::size_t result = 0;
  for (const auto& event : script.log()) {
    if (event.at("ev").as_string() != "recv")
      continue;
    auto line = json(event.at("line").as_string());
    auto found = line.member("error").member("code");
    if (found && found.value() == code)
      ++result;
  }
  return result;
}

request_handler::behavior_type answering_actor(request_handler::pointer,
                                               const payload& answer) {
  return {
    [answer](const server_request&) -> caf::result<payload> { return answer; },
  };
}

} // namespace

TEST_CASE("a function answers a request for sampling") {
  host app;
  handlers answers;
  answers.sampling = [](const server_request& request) {
    boost::json::object result{
      {"role", "assistant"},
      {"model", "m"},
      {"content", request.params.value().at("messages").at(0).at("content")}};
    return payload{boost::json::value(std::move(result))};
  };
  auto server = app.open(legacy_demo(), answers);
  auto result
    = value(ask(*app.self, server, call_tool("sample", {{"prompt", "hello"}})));
  CHECK(structured(result)
        == R"({"role":"assistant","model":"m",)"
           R"("content":{"type":"text","text":"hello"}})");
}

TEST_CASE("a form that was left empty is sent with its defaults") {
  host app;
  handlers answers;
  answers.elicit_form
    = always(R"({"action":"accept","content":{"name":"Ada"}})");
  auto server = app.open(legacy_demo(), answers);
  CHECK(structured(value(ask(*app.self, server, call_tool("ask"))))
        == R"({"action":"accept","content":{"name":"Ada","age":42}})");
}

TEST_CASE("roots are listed") {
  host app;
  handlers answers;
  answers.roots = always(R"({"roots":[{"uri":"file:///a"}]})");
  auto server = app.open(legacy_demo(), answers);
  CHECK(structured(value(ask(*app.self, server, call_tool("roots"))))
        == R"({"roots":[{"uri":"file:///a"}]})");
}

TEST_CASE("a change of roots is told in the legacy era") {
  player script{"roots-changed-legacy"};
  host app;
  handlers answers;
  answers.roots = always(R"({"roots":[]})");
  auto server = app.connect(script.options(), {}, answers);
  REQUIRE(ask(*app.self, server, roots_changed())); // held until it is ready
  auto call = start_call(*app.self, server);
  REQUIRE(ask(*app.self, server, roots_changed()));
  auto end = outcome(std::move(call));
  CHECK(end == "ok");
  CHECK(script.marked("told"));
}

TEST_CASE("a change of roots is not told in the modern era") {
  player script{"roots-changed-modern"};
  host app;
  handlers answers;
  answers.roots = always(R"({"roots":[]})");
  auto server = app.connect(script.options(), {}, answers);
  REQUIRE(ask(*app.self, server, roots_changed()));
  REQUIRE(ask(*app.self, server, roots_changed()));
  REQUIRE(ask(*app.self, server, send_notification{"notifications/go", {}}));
  value(call_t(app, server));
  CHECK(script.marked("untold"));
}

TEST_CASE("an actor answers for as long as it lives") {
  host app;
  auto actor = app.system().spawn(answering_actor, json(R"({"roots":[]})"));
  handlers answers;
  answers.roots = actor;
  auto server = app.open(legacy_demo(), answers);
  CHECK(structured(value(ask(*app.self, server, call_tool("roots"))))
        == R"({"roots":[]})");
  caf::anon_send_exit(actor, caf::exit_reason::user_shutdown);
  (*app.self)->wait_for(actor);
  auto error = told_error(value(ask(*app.self, server, call_tool("roots"))));
  CHECK(error.member("code").value() == -32603);
}

TEST_CASE("an actor that takes its time can see that nobody waits any more") {
  player script{"server-request-cancelled"};
  std::atomic<bool> is_asked = false;
  std::atomic<bool> is_told = false;
  host app;
  handlers answers;
  answers.roots = always(R"({"roots":[]})");
  auto actor = app.system().spawn(
    [&](request_handler::pointer self) -> request_handler::behavior_type {
      auto on_down = [&is_told](const caf::actor_addr&, const caf::error&) {
        is_told = true;
      };
      caf_version::set_down_handler(self, on_down);
      return {
        [&is_asked, on_down,
         self](const server_request&) -> caf::result<payload> {
          caf_version::watch(self, self->current_sender(), on_down);
          is_asked = true;
          return self->make_response_promise<payload>(); // never
        },
      };
    });
  answers.sampling = actor;
  auto server = app.open(script.options(), answers);
  auto call = start_call(*app.self, server);
  REQUIRE(wait_until([&] { return is_asked.load(); }));
  REQUIRE(ask(*app.self, server, send_notification{"notifications/go", {}}));
  CHECK(wait_until([&] { return is_told.load(); }));
  REQUIRE(ask(*app.self, server, send_notification{"notifications/gone", {}}));
  auto end = outcome(std::move(call));
  CHECK(end == "ok");
  caf::anon_send_exit(actor, caf::exit_reason::user_shutdown);
}

TEST_CASE("what MCP does not define goes to the handler for the rest") {
  player script{"server-request-unknown"};
  host app;
  handlers answers;
  answers.others = [](const server_request& request) {
    return payload{boost::json::value{{"method", request.method}}};
  };
  auto server = app.open(script.options(), answers);
  value(call_t(app, server));
  CHECK(script.checks_hold());
}

TEST_CASE("the handshake declares what is handled, and nothing else") {
  player script{"server-request-unknown"};
  host app;
  handlers answers;
  answers.roots = always("{}");
  answers.elicit_url = always("{}");
  answers.others = always("{}");
  app.open(script.options(), answers);
  for (const auto& event : script.log())
    if (const auto* method = event.if_contains("method");
        method != nullptr && *method == "initialize")
      CHECK(json(event.at("line").as_string())
              .member("params")
              .member("capabilities")
              .to_json()
            == R"({"elicitation":{"url":{}},"roots":{"listChanged":true}})");
  CHECK(script.received("initialize") == 1);
}

TEST_CASE("a server that was declared nothing asks nothing") {
  host app;
  auto server = app.open(legacy_demo());
  for (const auto* tool : {"ask", "sample", "roots"})
    CHECK(
      value(ask(*app.self, server, call_tool(tool))).member("isError").value()
      == true);
}

TEST_CASE("a handler that fails is an internal error, and one that refuses "
          "says why") {
  host app;
  handlers answers;
  answers.sampling = [](const server_request&) -> caf::expected<payload> {
    return refuse(-1, "User rejected sampling request");
  };
  answers.roots = [](const server_request&) -> caf::expected<payload> {
    throw std::runtime_error{"no secret of ours"};
  };
  answers.elicit_form = always("[]");
  auto server = app.open(legacy_demo(), answers);
  auto error_of = [&](const char* tool) {
    return told_error(value(ask(*app.self, server, call_tool(tool)))).to_json();
  };
  CHECK(error_of("sample")
        == R"({"code":-1,"message":"User rejected sampling request"})");
  for (const auto* tool : {"roots", "ask"})
    CHECK(error_of(tool)
          == R"({"code":-32603,"message":"The handler failed"})");
}

TEST_CASE("an answer that cannot be written is an error to the server") {
  host app;
  handlers answers;
  answers.roots = [](const server_request&) {
    return payload{boost::json::value{{"roots", "\xff"}}};
  };
  auto server = app.open(legacy_demo(), answers);
  auto error = told_error(value(ask(*app.self, server, call_tool("roots"))));
  CHECK(error.member("code").value() == -32603);
}

TEST_CASE("the requests of a server that run at once are bounded") {
  player script{"server-request-flood"};
  held_handler held;
  host app;
  handlers answers;
  answers.sampling = held.function();
  auto server = app.open(script.options(), answers);
  auto call = start_call(*app.self, server);
  REQUIRE(wait_until([&] { return script.marked("ponged"); }));
  CHECK(wait_until([&] { return held.started == 16; }));
  CHECK(wait_until([&] { return errors(script, -32603) == 48; }));
  value(ask(*app.self, server, list_all{})); // as before, while they run
  CHECK(held.started == 16);
  held.let_go();
  auto end = outcome(std::move(call));
  CHECK(end == "ok");
  CHECK(held.started == 16);
  CHECK(errors(script, -32603) == 48);
}

TEST_CASE("a handler of a cancelled request counts until it has returned") {
  player script{"server-request-cancelled-flood"};
  stubborn_handler stubborn;
  host app;
  handlers answers;
  auto options = script.options();
  SECTION("in a thread") {
    options.max_server_requests = 16;
    answers.sampling = blocking_handler_function{
      [&](const server_request&, const std::stop_token&) {
        return stubborn();
      }};
  }
  SECTION("on the scheduler") {
    options.max_server_requests = 1;
    answers.sampling
      = handler_function{[&](const server_request&) { return stubborn(); }};
  }
  const auto running_max = static_cast<int>(options.max_server_requests);
  auto server = app.open(options, answers);
  auto call = start_call(*app.self, server);
  REQUIRE(wait_until([&] { return stubborn.started == running_max; }));
  auto tell = [&](const char* what) {
    REQUIRE(ask(*app.self, server, send_notification{what, {}}));
  };
  tell("notifications/cancel");
  REQUIRE(wait_until([&] { return script.marked("ponged"); }));
  CHECK(errors(script, -32603) == 80 - options.max_server_requests);
  CHECK(stubborn.started == running_max);
  stubborn.is_free = true;
  tell("notifications/again");
  auto end = outcome(std::move(call));
  CHECK(end == "ok");
  CHECK(script.checks_hold());
}

TEST_CASE("a handler that blocks although it must not delays no message") {
  std::atomic<bool> is_asked = false;
  std::atomic<bool> is_free = false;
  host app;
  handlers answers;
  answers.roots = [&](const server_request&) {
    is_asked = true;
    wait_until([&] { return is_free.load(); });
    return json(R"({"roots":[]})");
  };
  auto server = app.open(legacy_demo(), answers);
  auto call = ask(app.self->ptr(), server, call_tool("roots"));
  REQUIRE(wait_until([&] { return is_asked.load(); }));
  caf::scoped_actor other{app.system()};
  value(ask(other, server, call_tool("echo", {{"message", "hi"}})));
  is_free = true;
  auto end = outcome(std::move(call));
  CHECK(end == "ok");
}

TEST_CASE("a request that the server cancels is stopped and not answered") {
  player script{"server-request-cancelled"};
  held_handler held;
  host app;
  handlers answers;
  answers.sampling = held.function();
  answers.roots = always(R"({"roots":[]})");
  auto server = app.open(script.options(), answers);
  auto call = start_call(*app.self, server);
  REQUIRE(wait_until([&] { return held.started == 1; }));
  REQUIRE(ask(*app.self, server, send_notification{"notifications/go", {}}));
  CHECK(wait_until([&] { return held.stopped == 1; }));
  REQUIRE(ask(*app.self, server, send_notification{"notifications/gone", {}}));
  auto end = outcome(std::move(call));
  CHECK(end == "ok");
  CHECK(script.checks_hold());
}

TEST_CASE("an answer for a lost process does not reach the next one") {
  player script{"server-request-lost"};
  held_handler held;
  host app;
  handlers answers;
  answers.sampling = held.function();
  answers.roots = always(R"({"roots":[]})");
  auto options = script.options();
  options.max_reconnects = 3;
  auto server = app.open(options, answers);
  auto call = start_call(*app.self, server);
  REQUIRE(wait_until([&] { return held.started == 1; }));
  REQUIRE(ask(*app.self, server, send_notification{"notifications/go", {}}));
  auto end = outcome(std::move(call));
  CHECK(end == "connection_closed");
  CHECK(wait_until([&] { return held.stopped == 1; }));
  value(call_t(app, server));
  CHECK(script.checks_hold());
}

TEST_CASE("an id that is in use is answered once") {
  player script{"server-request-twice"};
  held_handler held;
  host app;
  handlers answers;
  answers.sampling = held.function();
  auto server = app.open(script.options(), answers);
  auto call = start_call(*app.self, server);
  REQUIRE(wait_until([&] { return held.started == 1; }));
  REQUIRE(wait_until([&] { return script.count("sent") > 0; }));
  held.let_go();
  auto end = outcome(std::move(call));
  CHECK(end == "ok");
  CHECK(held.started == 1);
  CHECK(script.checks_hold());
}

TEST_CASE("handlers are stopped with their connection") {
  player script{"server-request-cancelled"};
  held_handler held;
  host app;
  handlers answers;
  answers.sampling = held.function();
  auto server = app.open(script.options(), answers);
  auto call = start_call(*app.self, server);
  REQUIRE(wait_until([&] { return held.started == 1; }));
  SECTION("when it is closed") {
    REQUIRE(ask(*app.self, server, close_connection{}));
  }
  SECTION("when it is killed") {
    caf::anon_send_exit(server, caf::exit_reason::kill);
  }
  auto end = outcome(std::move(call));
  CHECK(end == "connection_closed");
  CHECK(wait_until([&] { return held.stopped == 1; }));
  CHECK(errors(script, -32603) == 0);
}
