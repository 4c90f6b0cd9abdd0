// Subscriptions of the modern era, as servers are known to play them.
#include "tests/support/listening.hpp"
#include "tests/support/player.hpp"
#include "tests/support/wait_until.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace caf_mcp;
using namespace std::chrono_literals;
using tests::call_t;
using tests::heard;
using tests::heard_now;
using tests::host;
using tests::player;
using tests::value;

namespace {

caf_mcp::listen listen_to(listen_filter filter) {
  caf_mcp::listen message{std::move(filter), {}, nullptr};
  message.options.credit = 1000;
  return message;
}

} // namespace

TEST_CASE("events reach their subscription, and what is open is resumed") {
  player script{"listen-and-resume"};
  host app;
  auto options = script.options();
  options.max_reconnects = 1;
  auto server = app.open(options);
  caf::scoped_actor second{app.system()};
  caf::scoped_actor third{app.system()};
  // The server declares tools only, but may support more.
  value(
    ask(*app.self, server, listen_to({true, false, false, {"file:///x"}, {}})));
  value(ask(second, server, listen_to({true, false, false, {}, {}})));
  value(ask(third, server, listen_to({true, true, false, {}, {}})));
  CHECK(heard(*app.self) == "accepted file:///x");
  CHECK(heard(*app.self) == "event resource_updated file:///x");
  CHECK(heard(*app.self) == "closed finished");
  CHECK(heard(second) == "accepted tools");
  CHECK(heard(second) == "event tools_changed");
  CHECK(heard(second) == "closed withdrawn");
  CHECK(heard(third) == "accepted");
  CHECK(heard(third) == "resumed");
  CHECK(tests::wait_until([&] { return script.count("check") == 1; }));
  CHECK(script.checks_hold());
  CHECK(script.marked("re-listened"));
  CHECK(heard_now(*app.self) == "silence");
  CHECK(heard_now(second) == "silence");
}

TEST_CASE("a listen may be refused, and has no deadline once it is open") {
  player script{"listen-refused"};
  host app;
  auto options = script.options();
  options.request_timeout = 500ms;
  auto server = app.open(options);
  listen_filter tools{true, false, false, {}, {}};
  value(ask(*app.self, server, listen_to(tools)));
  CHECK(heard(*app.self) == "closed failed: rpc_error");
  value(ask(*app.self, server, listen_to(tools)));
  CHECK(heard(*app.self) == "accepted");
  CHECK(tests::wait_until([&] { return script.count("check") == 1; }));
  CHECK(script.checks_hold());
  CHECK(heard_now(*app.self) == "silence");
  value(call_t(app, server));
}

TEST_CASE("a burst of changes is one event for who is busy") {
  player script{"list-changed-burst"};
  host app;
  auto options = script.options();
  options.mode = era_mode::legacy; // the script names no subscription
  auto server = app.open(options);
  caf_mcp::listen message{{true, false, false, {}, {}}, {}, nullptr};
  auto id = value(ask(*app.self, server, message)); // a credit of 1
  auto lists = 0;
  value(call_t(app, server));
  for (auto next = heard(*app.self, 500ms); next != "silence";
       next = heard(*app.self, 500ms)) {
    if (next != "event tools_changed")
      continue;
    ++lists;
    value(ask(*app.self, server, list_all{}));
    value(ask(*app.self, server, grant_events{id, 1}));
  }
  CHECK(lists >= 1);
  CHECK(lists <= 3);
}

TEST_CASE("who hears of an event may ask the server at once") {
  player script{"list-changed-during-call"};
  host app;
  auto options = script.options();
  options.mode = era_mode::legacy; // the script names no subscription
  auto server = app.open(options);
  value(ask(*app.self, server, listen_to({true, false, false, {}, {}})));
  caf::scoped_actor caller{app.system()};
  auto call = ask(caller.ptr(), server, call_tool("t"));
  auto next = heard(*app.self);
  if (next.starts_with("accepted"))
    next = heard(*app.self);
  CHECK(next == "event tools_changed");
  value(ask(*app.self, server, list_all{}));
  auto is_answered = false;
  std::move(call).receive([&](payload&) { is_answered = true; },
                          [](caf::error&) {});
  CHECK(is_answered);
}
