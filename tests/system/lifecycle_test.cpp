// The life of a connection, as those see it who use it.
#include "tests/support/player.hpp"
#include "tests/support/processes.hpp"
#include "tests/support/wait_until.hpp"

#include <caf/exit_reason.hpp>
#include <caf/send.hpp>
#include <caf/typed_event_based_actor.hpp>
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <csignal>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

using namespace caf_mcp;
using namespace std::chrono_literals;
using tests::failure;
using tests::host;
using tests::player;
using tests::value;
using tests::wait_until;

namespace {

server_options demo() {
  return host::program("demo-server");
}

/// Sends a call of the tool `slow` that takes a minute, for `self`.
auto send_slow_call(caf::scoped_actor& self, const connection& server) {
  return ask(self.ptr(), server, call_tool("slow", {{"ms", 60000}}));
}

/// Waits for an answer that must be an error, and describes it.
template <class Pending>
error_info failure_of(Pending pending) {
  error_info result;
  std::move(pending).receive(
    [](payload&) {},
    [&result](caf::error& error) { result = describe(error); });
  return result;
}

/// Waits until the server has that many requests to answer.
void wait_for_requests(host& app, const connection& server, std::size_t count) {
  REQUIRE(wait_until([&] {
    return value(ask(*app.self, server, get_session{})).in_flight == count;
  }));
}

/// Watches the status of a connection.
class watcher {
public:
  watcher(caf::actor_system& system, const connection& server)
    : record_{std::make_shared<record>()} {
    actor_ = system.spawn(
      [](status_listener::pointer self, const connection& watched,
         const std::shared_ptr<record>& to) {
        ask(self, watched, watch_status{})
          .then([] {}, [](const caf::error&) {});
        return status_listener::behavior_type{
          [to](const status_changed& event) {
            std::unique_lock guard{to->mutex};
            to->events.push_back(event);
          }};
      },
      server, record_);
    CHECK(wait_for(1).size() == 1); // the state it began in
  }

  ~watcher() {
    caf::anon_send_exit(actor_, caf::exit_reason::user_shutdown);
  }

  watcher(const watcher&) = delete;
  watcher& operator=(const watcher&) = delete;

  /// Returns all events once there are that many.
  std::vector<status_changed> wait_for(std::size_t count) {
    std::vector<status_changed> result;
    wait_until([&] {
      std::unique_lock guard{record_->mutex};
      result = record_->events;
      return result.size() >= count;
    });
    REQUIRE(result.size() >= count);
    return result;
  }

private:
  struct record {
    std::mutex mutex;
    std::vector<status_changed> events;
  };

  std::shared_ptr<record> record_;
  status_listener actor_;
};

std::vector<connection_state> states(const std::vector<status_changed>& all) {
  std::vector<connection_state> result;
  for (const auto& each : all)
    result.push_back(each.state);
  return result;
}

} // namespace

TEST_CASE("every change of a connection's state is told, with its reason") {
  using enum connection_state;
  host app;
  auto options = demo();
  options.max_reconnects = 1;
  auto server = app.connect(options);
  watcher status{app.system(), server};
  auto first = value(ask(*app.self, server, open_connection{})).pid;
  ::kill(static_cast<pid_t>(first), SIGKILL);
  auto events = status.wait_for(6);
  CHECK(states(events)
        == std::vector{idle, connecting, ready, waiting, connecting, ready});
  const auto& lost = events[3];
  REQUIRE(lost.reason);
  CHECK(lost.reason->cause == close_cause::signal);
  CHECK(lost.reason->number == SIGKILL);
  CHECK(lost.backoff >= 125ms); // 250 ms, less at most a half
  CHECK(lost.backoff <= 250ms);
  CHECK_FALSE(events[5].reason);
  // No attempt is left: the connection gives up.
  auto second = value(ask(*app.self, server, get_session{})).pid;
  ::kill(static_cast<pid_t>(second), SIGTERM);
  events = status.wait_for(7);
  CHECK(events[6].state == closed);
  REQUIRE(events[6].reason);
  CHECK(events[6].reason->cause == close_cause::signal);
  CHECK(events[6].reason->number == SIGTERM);
}

TEST_CASE("a connection that is closed says so") {
  using enum connection_state;
  host app;
  auto server = app.connect(demo());
  watcher status{app.system(), server};
  value(ask(*app.self, server, open_connection{}));
  REQUIRE(ask(*app.self, server, close_connection{}));
  auto events = status.wait_for(4);
  CHECK(states(events) == std::vector{idle, connecting, ready, closed});
  REQUIRE(events[3].reason);
  CHECK(events[3].reason->cause == close_cause::closed);
  CHECK(failure(ask(*app.self, server, open_connection{})).name
        == "connection_closed");
}

TEST_CASE("a connection that is drained takes nothing new") {
  host app;
  auto server = app.open(demo());
  caf::scoped_actor caller{app.system()};
  caf::scoped_actor closer{app.system()};
  auto pending = ask(caller.ptr(), server, call_tool("slow", {{"ms", 500}}));
  wait_for_requests(app, server, 1);
  auto end = ask(closer.ptr(), server, close_connection{60s});
  auto refused
    = failure(ask(closer, server, send_notification{"notifications/x", {}}));
  CHECK(refused.name == "connection_closed");
  CHECK(failure(ask(closer, server, call_tool("echo"))).name
        == "connection_closed");
  auto answers = 0;
  std::move(pending).receive([&answers](payload&) { ++answers; },
                             [](caf::error&) {});
  CHECK(answers == 1);
  std::move(end).receive([] {}, [](caf::error&) { FAIL("not closed"); });
}

TEST_CASE("a drained close waits for a server that is starting") {
  host app;
  auto options = demo();
  SECTION("until its requests are answered") {
    auto server = app.connect(options);
    auto answer
      = ask(app.self->ptr(), server, call_tool("echo", {{"message", "hi"}}));
    caf::scoped_actor closer{app.system()};
    value(ask(closer, server, close_connection{60s}));
    auto answers = 0;
    std::move(answer).receive([&answers](payload&) { ++answers; },
                              [](caf::error&) {});
    CHECK(answers == 1);
  }
  SECTION("until the time is up") {
    options.command = "sleep"; // never answers
    options.args = {"60"};
    auto server = app.connect(options);
    auto answer
      = ask(app.self->ptr(), server, call_tool("echo", {{"message", "hi"}}));
    caf::scoped_actor closer{app.system()};
    value(ask(closer, server, close_connection{100ms}));
    error_info error;
    std::move(answer).receive(
      [](payload&) {}, [&error](caf::error& why) { error = describe(why); });
    CHECK(error.name == "connection_closed");
    CHECK(error.data.string_member("outcome") == "not_sent");
  }
  SECTION("but not for a handshake that nobody waits for") {
    options.command = "sleep";
    options.args = {"60"};
    auto server = app.connect(options);
    caf::scoped_actor opener{app.system()};
    auto opened = ask(opener.ptr(), server, open_connection{});
    value(ask(*app.self, server, close_connection{60s}));
    auto failures = 0;
    std::move(opened).receive([](session_info&) {},
                              [&failures](caf::error&) { ++failures; });
    CHECK(failures == 1);
  }
}

TEST_CASE("a closed connection lets go of its log actor") {
  host app;
  caf::scoped_actor witness{app.system()};
  auto log = app.system().spawn(
    [](log_listener::pointer, int) {
      return log_listener::behavior_type{[](const server_output&) {}};
    },
    0);
  witness->monitor(log);
  auto server = app.connect(demo(), log);
  value(ask(*app.self, server, open_connection{}));
  REQUIRE(ask(*app.self, server, close_connection{}));
  log = nullptr;
  auto is_gone = false;
  witness->receive([&is_gone](const caf::down_msg&) { is_gone = true; },
                   caf::after(20s) >> [] {});
  CHECK(is_gone);
}

TEST_CASE("opening again is harmless") {
  host app;
  auto server = app.open(demo());
  auto first = value(ask(*app.self, server, get_session{}));
  auto again = value(ask(*app.self, server, open_connection{}));
  CHECK(again.pid == first.pid);
  CHECK(again.state == connection_state::ready);
}

TEST_CASE("nothing is known of a server before it is ready") {
  host app;
  auto server = app.connect(host::program("test-never-answer"));
  auto check_empty = [&](connection_state state) {
    auto session = value(ask(*app.self, server, get_session{}));
    CHECK(session.state == state);
    CHECK_FALSE(session.era);
    CHECK(session.protocol_version.empty());
    CHECK_FALSE(session.server_info);
    CHECK_FALSE(session.capabilities);
    CHECK(session.instructions.empty());
    CHECK(session.pid == 0);
  };
  check_empty(connection_state::idle);
  request_options brief;
  brief.timeout = 200ms;
  auto early = failure(ask(*app.self, server, call_tool("echo", {}, brief)));
  // It waited for the server within its own timeout.
  CHECK(early.name == "request_timeout");
  CHECK(early.data.string_member("outcome") == "not_sent");
  check_empty(connection_state::connecting);
}

TEST_CASE("an exit message from anybody stops a connection with its reason") {
  host app;
  auto server = app.open(demo());
  auto pid = value(ask(*app.self, server, get_session{})).pid;
  caf::scoped_actor caller{app.system()};
  auto pending = send_slow_call(caller, server);
  wait_for_requests(app, server, 1);
  caf::scoped_actor witness{app.system()};
  witness->monitor(server);
  (*app.self)->send_exit(server, caf::exit_reason::remote_link_unreachable);
  CHECK(failure_of(std::move(pending)).name == "connection_closed");
  caf::error why;
  witness->receive([&why](const caf::down_msg& down) { why = down.reason; });
  CHECK(why == caf::exit_reason::remote_link_unreachable);
  CHECK(wait_until([&] { return !tests::exists(pid); }));
}

TEST_CASE("a connection that is killed still fails its requests, and stops its "
          "server") {
  host app;
  auto server = app.open(demo());
  auto pid = value(ask(*app.self, server, get_session{})).pid;
  caf::scoped_actor caller{app.system()};
  auto pending = send_slow_call(caller, server);
  wait_for_requests(app, server, 1);
  caf::anon_send_exit(server, caf::exit_reason::kill);
  auto lost = failure_of(std::move(pending));
  CHECK(lost.name == "connection_closed");
  CHECK(lost.data.string_member("outcome") == "unknown");
  CHECK(wait_until([&] { return !tests::exists(pid); }));
}

TEST_CASE("the requests of an actor that dies are cancelled on the server") {
  player script{"never-answers-calls"}; // never answers a call
  host app;
  auto server = app.open(script.options());
  {
    caf::scoped_actor caller{app.system()};
    for (auto i = 0; i < 3; ++i)
      ask(caller.ptr(), server, call_tool("t"));
    CHECK(wait_until([&] { return script.received("tools/call") == 3; }));
  }
  wait_for_requests(app, server, 0);
  CHECK(wait_until(
    [&] { return script.received("notifications/cancelled") == 3; }));
}

TEST_CASE("a cancellation never overtakes its request") {
  player script{"never-answers-calls"}; // never answers a call
  host app;
  auto server = app.open(script.options());
  constexpr std::size_t calls = 50;
  caf::scoped_actor caller{app.system()};
  for (std::size_t i = 0; i < calls; ++i) {
    request_options tagged;
    tagged.tag = i + 1;
    auto pending = ask(caller.ptr(), server, call_tool("t", {}, tagged));
    tell(caller, server, cancel_request{i + 1, "at once"});
    CHECK(failure_of(std::move(pending)).name == "cancelled");
  }
  REQUIRE(wait_until(
    [&] { return script.received("notifications/cancelled") == calls; }));
  std::vector<std::string> methods;
  for (const auto& each : script.log())
    if (const auto* method = each.if_contains("method");
        each.at("ev") == "recv" && method != nullptr && method->is_string()
        && (*method == "tools/call" || *method == "notifications/cancelled"))
      methods.emplace_back(method->get_string());
  REQUIRE(methods.size() == 2 * calls);
  for (std::size_t i = 0; i < calls; ++i) {
    CHECK(methods[2 * i] == "tools/call");
    CHECK(methods[2 * i + 1] == "notifications/cancelled");
  }
}

TEST_CASE("a request during a reconnect waits for it, within its timeout") {
  host app;
  auto server = app.open(demo());
  auto pid = value(ask(*app.self, server, get_session{})).pid;
  ::kill(static_cast<pid_t>(pid), SIGKILL);
  REQUIRE(wait_until([&] {
    return value(ask(*app.self, server, get_session{})).state
           == connection_state::waiting;
  }));
  caf::scoped_actor other{app.system()};
  request_options brief;
  brief.timeout = 10ms; // the pause is 125 ms at least
  auto impatient = ask(other.ptr(), server, call_tool("echo", {}, brief));
  value(ask(*app.self, server, call_tool("echo", {{"message", "hi"}})));
  auto late = failure_of(std::move(impatient));
  CHECK(late.name == "request_timeout");
  CHECK(late.data.string_member("outcome") == "not_sent");
}

TEST_CASE("the ids of requests are not used again after a reconnect") {
  player script{"restart-during-timeout"}; // the first process dies of its call
  host app;
  auto options = script.options();
  options.max_reconnects = 1;
  auto server = app.open(options);
  failure(tests::call_t(app, server));
  REQUIRE(wait_until([&] { return script.count("start") == 2; }));
  request_options brief;
  brief.timeout = 300ms;
  static_cast<void>(tests::call_t(app, server, brief));
  std::vector<std::int64_t> ids;
  for (const auto& each : script.log())
    if (const auto* id = each.if_contains("id");
        each.at("ev") == "recv" && id != nullptr && id->is_int64())
      ids.push_back(id->get_int64());
  CHECK(ids.size() >= 4); // two handshakes and two calls
  CHECK(std::ranges::adjacent_find(ids, std::greater_equal{}) == ids.end());
}
