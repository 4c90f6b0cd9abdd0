#include "tests/support/host.hpp"
#include "tests/support/listening.hpp"
#include "tests/support/player.hpp"
#include "tests/support/wait_until.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

using namespace caf_mcp;
using namespace std::chrono_literals;
using tests::failure;
using tests::heard;
using tests::heard_now;
using tests::host;
using tests::player;
using tests::value;

namespace {

server_options demo(std::string era) {
  return host::program("demo-server", {"--era", std::move(era)});
}

std::string any_era() {
  return GENERATE(as<std::string>{}, "legacy", "modern");
}

/// Has the demo server report changes.
void touch(host& app, const connection& server, boost::json::object what) {
  value(ask(*app.self, server, call_tool("touch", std::move(what))));
}

void log(host& app, const connection& server, std::string_view level,
         std::string_view message) {
  value(ask(*app.self, server,
            call_tool("log", {{"level", level}, {"message", message}})));
}

caf_mcp::listen listen_to(listen_filter filter, std::uint64_t credit = 1000) {
  caf_mcp::listen message{std::move(filter), {}, nullptr};
  message.options.credit = credit;
  return message;
}

listen_filter tools() {
  listen_filter result;
  result.tools = true;
  return result;
}

listen_filter uris(std::vector<std::string> which) {
  listen_filter result;
  result.uris = std::move(which);
  return result;
}

listen_filter logs(log_level level) {
  listen_filter result;
  result.log = level;
  return result;
}

} // namespace

TEST_CASE("a listener hears which lists change, in both eras", "[listen]") {
  host app;
  auto server = app.open(demo(any_era()));
  listen_filter lists{true, true, true, {}, {}};
  value(ask(*app.self, server, listen_to(lists)));
  CHECK(heard(*app.self) == "accepted tools prompts resources");
  touch(app, server, {{"list", "prompts"}});
  CHECK(heard(*app.self) == "event prompts_changed");
  touch(app, server, {{"list", "resources"}});
  CHECK(heard(*app.self) == "event resources_changed");
  touch(app, server, {{"list", "tools"}});
  CHECK(heard(*app.self) == "event tools_changed");
}

TEST_CASE("listeners hear what they asked for, and nothing else", "[listen]") {
  host app;
  auto server = app.open(demo(any_era()));
  caf::scoped_actor other{app.system()};
  value(ask(*app.self, server, listen_to(uris({"demo://greeting"}))));
  value(ask(other, server, listen_to(tools())));
  CHECK(heard(*app.self) == "accepted demo://greeting");
  CHECK(heard(other) == "accepted tools");
  touch(app, server, {{"uri", "demo://logo"}});
  touch(app, server, {{"uri", "demo://greeting"}});
  CHECK(heard(*app.self) == "event resource_updated demo://greeting");
  touch(app, server, {{"list", "tools"}});
  CHECK(heard(other) == "event tools_changed");
  CHECK(heard_now(*app.self) == "silence");
  CHECK(heard_now(other) == "silence");
}

TEST_CASE("a listen opens a connection that was not opened", "[listen]") {
  host app;
  auto server = app.connect(demo(any_era()));
  value(ask(*app.self, server, listen_to(tools())));
  CHECK(heard(*app.self) == "accepted tools");
}

TEST_CASE("another actor than the sender can be the owner", "[listen]") {
  host app;
  auto server = app.open(demo(any_era()));
  caf::scoped_actor owner{app.system()};
  auto message = listen_to(tools());
  message.owner = caf::actor_cast<caf::strong_actor_ptr>(owner);
  value(ask(*app.self, server, message));
  CHECK(heard(owner) == "accepted tools");
  CHECK(heard_now(*app.self) == "silence");
}

TEST_CASE("events wait for credit, and equal ones are merged", "[listen]") {
  host app;
  auto server = app.open(demo(any_era()));
  auto id = value(ask(*app.self, server, listen_to(tools(), 0)));
  CHECK(heard(*app.self) == "accepted tools");
  touch(app, server, {{"list", "tools"}, {"count", 5000}});
  CHECK(heard_now(*app.self) == "silence");
  value(ask(*app.self, server, grant_events{id, 10}));
  CHECK(heard_now(*app.self) == "event tools_changed");
  CHECK(heard_now(*app.self) == "silence");
  touch(app, server, {{"list", "tools"}});
  CHECK(heard_now(*app.self) == "event tools_changed");
}

TEST_CASE("a slow owner is told how much it missed", "[listen]") {
  host app;
  auto server = app.open(demo(any_era()));
  std::vector<std::string> all;
  for (auto i = 0; i < 500; ++i)
    all.push_back("demo://item/" + std::to_string(i));
  auto id = value(ask(*app.self, server, listen_to(uris(all), 0)));
  CHECK(heard(*app.self).starts_with("accepted"));
  for (const auto& uri : all)
    touch(app, server, {{"uri", uri}});
  value(ask(*app.self, server, grant_events{id, 1000}));
  CHECK(heard_now(*app.self) == "dropped 400");
  for (std::size_t i = 400; i < 500; ++i)
    CHECK(heard_now(*app.self) == "event resource_updated " + all[i]);
  CHECK(heard_now(*app.self) == "silence");
}

TEST_CASE("an owner may prefer the end to a loss", "[listen]") {
  host app;
  auto server = app.open(demo(any_era()));
  auto message = listen_to(uris({"demo://greeting", "demo://logo"}), 0);
  message.options.max_buffer = 1;
  message.options.overflow = overflow_policy::close;
  value(ask(*app.self, server, message));
  CHECK(heard(*app.self).starts_with("accepted"));
  touch(app, server, {{"uri", "demo://greeting"}});
  touch(app, server, {{"uri", "demo://logo"}});
  CHECK(heard(*app.self) == "dropped 1");
  CHECK(heard(*app.self) == "closed failed: subscription_overflow");
}

TEST_CASE("nothing comes after a subscription is cancelled", "[listen]") {
  host app;
  auto server = app.open(demo(any_era()));
  auto id = value(ask(*app.self, server, listen_to(tools())));
  CHECK(heard(*app.self) == "accepted tools");
  value(ask(*app.self, server, cancel_subscription{id}));
  CHECK(heard(*app.self) == "closed cancelled");
  touch(app, server, {{"list", "tools"}});
  value(ask(*app.self, server, cancel_subscription{id}));
  value(ask(*app.self, server, grant_events{id, 1}));
  CHECK(heard_now(*app.self) == "silence");
}

TEST_CASE("a modern server may end a subscription in two ways", "[listen]") {
  host app;
  auto server = app.open(demo("modern"));
  value(ask(*app.self, server, listen_to(tools())));
  CHECK(heard(*app.self) == "accepted tools");
  SECTION("in good order") {
    value(ask(*app.self, server,
              call_tool("end_subscriptions", {{"how", "response"}})));
    CHECK(heard(*app.self) == "closed finished");
  }
  SECTION("by cancelling it") {
    value(ask(*app.self, server,
              call_tool("end_subscriptions", {{"how", "cancelled"}})));
    CHECK(heard(*app.self) == "closed withdrawn");
  }
  touch(app, server, {{"list", "tools"}});
  CHECK(heard_now(*app.self) == "silence");
}

TEST_CASE("a subscription is resumed when the server is started again",
          "[listen]") {
  host app;
  auto server = app.open(demo(any_era()));
  auto filter = uris({"demo://greeting"});
  filter.tools = true;
  filter.log = log_level::info;
  value(ask(*app.self, server, listen_to(filter)));
  CHECK(heard(*app.self) == "accepted tools demo://greeting log=info");
  CHECK(failure(ask(*app.self, server, call_tool("crash"))).name
        == "connection_closed");
  CHECK(heard(*app.self) == "resumed tools demo://greeting log=info");
  touch(app, server, {{"uri", "demo://greeting"}});
  CHECK(heard(*app.self) == "event resource_updated demo://greeting");
  log(app, server, "error", "again");
  CHECK(heard(*app.self) == "event log_message error: again");
}

TEST_CASE("a subscription ends with its process if it is told to", "[listen]") {
  host app;
  auto server = app.open(demo(any_era()));
  auto message = listen_to(tools());
  message.options.on_reconnect = reconnect_choice::end;
  value(ask(*app.self, server, message));
  CHECK(heard(*app.self) == "accepted tools");
  failure(ask(*app.self, server, call_tool("crash")));
  CHECK(heard(*app.self) == "closed failed: connection_closed");
  touch(app, server, {{"list", "tools"}});
  CHECK(heard_now(*app.self) == "silence");
}

TEST_CASE("close ends all subscriptions", "[listen]") {
  host app;
  auto server = app.open(demo(any_era()));
  const auto drain = GENERATE(0ms, 5000ms);
  value(ask(*app.self, server, listen_to(tools())));
  CHECK(heard(*app.self) == "accepted tools");
  value(ask(*app.self, server, listen_to(logs(log_level::debug))));
  CHECK(heard(*app.self) == "accepted log=debug");
  REQUIRE(ask(*app.self, server, close_connection{drain}));
  CHECK(heard_now(*app.self) == "closed failed: connection_closed");
  CHECK(heard_now(*app.self) == "closed failed: connection_closed");
  CHECK(heard_now(*app.self) == "silence");
  CHECK(failure(ask(*app.self, server, listen_to(tools()))).name
        == "connection_closed");
}

TEST_CASE("nothing that the server supports is capability_missing",
          "[listen]") {
  host app;
  auto server = app.open(host::program("test-junk-lines", {"0"}));
  value(ask(*app.self, server, listen_to({true, true, true, {"a:b"}, {}})));
  CHECK(heard(*app.self) == "closed failed: capability_missing");
}

TEST_CASE("a listen that makes no sense is refused", "[listen]") {
  host app;
  auto server = app.connect(demo("modern"));
  auto key = [&](const caf_mcp::listen& message) {
    auto info = failure(ask(*app.self, server, message));
    CHECK(info.name == "config_invalid");
    return std::string{info.data.string_member("key")};
  };
  CHECK(key(listen_to({})) == "filter");
  CHECK(key(listen_to(uris({"demo://a", ""}))) == "filter.uris");
  auto message = listen_to(tools());
  message.options.max_buffer = 0;
  CHECK(key(message) == "options.max_buffer");
}

TEST_CASE("log messages reach those who listen, from their level on",
          "[listen]") {
  host app;
  auto server = app.open(demo(any_era()));
  caf::scoped_actor other{app.system()};
  value(ask(*app.self, server, listen_to(logs(log_level::warning))));
  CHECK(heard(*app.self) == "accepted log=warning");
  auto id = value(ask(other, server, listen_to(logs(log_level::debug))));
  CHECK(heard(other) == "accepted log=debug");
  log(app, server, "error", "one");
  CHECK(heard(*app.self) == "event log_message error: one");
  CHECK(heard(other) == "event log_message error: one");
  log(app, server, "debug", "two");
  CHECK(heard(other) == "event log_message debug: two");
  value(ask(other, server, cancel_subscription{id}));
  log(app, server, "debug", "three");
  log(app, server, "alert", "four");
  CHECK(heard(*app.self) == "event log_message alert: four");
}

TEST_CASE("10,000 log messages for a slow owner cost a bounded buffer",
          "[listen]") {
  host app;
  auto server = app.open(demo(any_era()));
  auto id = value(ask(*app.self, server, listen_to(logs(log_level::info), 1)));
  CHECK(heard(*app.self) == "accepted log=info");
  for (auto i = 0; i < 10'000; ++i)
    log(app, server, "info", std::to_string(i));
  CHECK(heard_now(*app.self) == "event log_message info: 0");
  CHECK(heard_now(*app.self) == "silence");
  value(ask(*app.self, server, grant_events{id, 1000}));
  CHECK(heard_now(*app.self) == "dropped 9899");
  for (auto i = 9'900; i < 10'000; ++i)
    CHECK(heard_now(*app.self)
          == "event log_message info: " + std::to_string(i));
  CHECK(heard_now(*app.self) == "silence");
}

TEST_CASE("a legacy server is asked once for a URI that many listen to",
          "[listen]") {
  player script{"listen-legacy"};
  host app;
  auto server = app.open(script.options());
  caf::scoped_actor other{app.system()};
  const std::vector<std::string> both{"demo://a", "demo://b"};
  auto mine = value(ask(*app.self, server, listen_to(uris(both))));
  auto others = value(ask(other, server, listen_to(uris({"demo://a"}))));
  CHECK(heard(*app.self) == "accepted demo://a demo://b");
  CHECK(heard(other) == "accepted demo://a");
  value(ask(*app.self, server, cancel_subscription{mine}));
  CHECK(tests::wait_until(
    [&] { return script.received("resources/unsubscribe") == 1; }));
  value(ask(other, server, cancel_subscription{others}));
  CHECK(tests::wait_until(
    [&] { return script.received("resources/unsubscribe") == 2; }));
  CHECK(script.received("resources/subscribe") == 2);
}

TEST_CASE("a URI that a legacy server refuses is not accepted", "[listen]") {
  player script{"listen-legacy-refused"};
  host app;
  auto server = app.open(script.options());
  auto filter = uris({"demo://a"});
  SECTION("nothing is left") {
    value(ask(*app.self, server, listen_to(filter)));
    CHECK(heard(*app.self) == "closed failed: rpc_error");
  }
  SECTION("the rest is accepted") {
    filter.tools = true;
    value(ask(*app.self, server, listen_to(filter)));
    CHECK(heard(*app.self) == "accepted tools");
  }
}

TEST_CASE("a modern server must acknowledge a subscription, in time",
          "[listen]") {
  player script{"listen-odd"};
  host app;
  auto options = script.options();
  options.request_timeout = 300ms;
  auto server = app.open(options);
  value(ask(*app.self, server, listen_to(tools())));
  CHECK(heard(*app.self) == "closed failed: invalid_response");
  value(ask(*app.self, server, listen_to(tools())));
  CHECK(heard(*app.self) == "closed failed: request_timeout");
  request_options patient;
  patient.timeout = 10s;
  value(ask(*app.self, server, call_tool("t", {}, patient)));
  CHECK(heard_now(*app.self) == "silence"); // what comes too late
}

TEST_CASE("an owner that dies leaves 103 cancellations for 103 requests",
          "[listen]") {
  player script{"listen-modern"};
  host app;
  auto server = app.open(script.options());
  {
    caf::scoped_actor owner{app.system()};
    for (auto i = 0; i < 100; ++i)
      tell(owner, server, call_tool("t"));
    for (auto i = 0; i < 3; ++i) {
      value(ask(owner, server, listen_to(tools())));
      CHECK(heard(owner) == "accepted tools");
    }
  }
  CHECK(tests::wait_until(
    [&] { return script.received("notifications/cancelled") >= 103; }));
  value(ask(*app.self, server, send_request{"test/fence", {}, {}}));
  CHECK(script.received("notifications/cancelled") == 103);
}

TEST_CASE("a legacy owner that dies unsubscribes from each URI", "[listen]") {
  player script{"listen-legacy"};
  host app;
  auto server = app.open(script.options());
  {
    caf::scoped_actor owner{app.system()};
    for (auto i = 0; i < 100; ++i)
      tell(owner, server, call_tool("t"));
    for (const auto* uri : {"demo://a", "demo://b", "demo://c"}) {
      value(ask(owner, server, listen_to(uris({uri}))));
      CHECK(heard(owner) == "accepted " + std::string{uri});
    }
  }
  auto received = [&](const char* method) { return script.received(method); };
  CHECK(tests::wait_until([&] {
    return received("notifications/cancelled") >= 100
           && received("resources/unsubscribe") >= 3;
  }));
  value(ask(*app.self, server, ping()));
  CHECK(received("notifications/cancelled") == 100);
  CHECK(received("resources/unsubscribe") == 3);
}
