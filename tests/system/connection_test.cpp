#include "tests/support/host.hpp"
#include "tests/support/listening.hpp"
#include "tests/support/player.hpp"
#include "tests/support/processes.hpp"
#include "tests/support/wait_until.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include <limits>
#include <string>

using namespace caf_mcp;
using tests::failure;
using tests::host;
using tests::player;
using tests::value;

namespace {

server_options demo(std::vector<std::string> args = {}) {
  return host::program("demo-server", std::move(args));
}

std::string text_of(const payload& result) {
  return std::string{
    result.value().at("content").as_array().at(0).at("text").as_string()};
}

} // namespace

TEST_CASE("a connection starts a modern server and calls a tool") {
  host app;
  auto server = app.connect(demo({"--era", "modern"}));
  auto session = value(ask(*app.self, server, open_connection{}));
  CHECK(session.state == connection_state::ready);
  CHECK(session.era == era::modern);
  CHECK(session.protocol_version == "2026-07-28");
  CHECK(session.server_info.string_member("name") == "caf-mcp-demo-server");
  CHECK(session.pid > 0);
  auto result
    = value(ask(*app.self, server, call_tool("echo", {{"message", "hi"}})));
  CHECK(text_of(result) == "hi");
}

TEST_CASE("a connection falls back to a legacy server") {
  host app;
  auto server = app.connect(demo({"--era", "legacy"}));
  auto session = value(ask(*app.self, server, open_connection{}));
  CHECK(session.era == era::legacy);
  CHECK(session.protocol_version == "2025-11-25");
  CHECK(text_of(
          value(ask(*app.self, server, call_tool("echo", {{"message", "hi"}}))))
        == "hi");
}

TEST_CASE("a server that dies of the probe is started again as legacy") {
  host app;
  auto server = app.connect(demo({"--exit-on-discover"}));
  auto session = value(ask(*app.self, server, open_connection{}));
  CHECK(session.era == era::legacy);
}

TEST_CASE("a modern server that is slow to answer the probe is not lost") {
  host app;
  auto options = demo({"--era", "modern", "--discover-delay", "300"});
  options.probe_timeout = std::chrono::milliseconds{50};
  auto session = value(ask(*app.self, app.connect(options), open_connection{}));
  CHECK(session.era == era::modern);
}

TEST_CASE("each mode insists on its era") {
  host app;
  auto options = demo({"--era", "both"});
  SECTION("legacy") {
    options.mode = era_mode::legacy;
    auto session
      = value(ask(*app.self, app.connect(options), open_connection{}));
    CHECK(session.era == era::legacy);
  }
  SECTION("modern") {
    options.mode = era_mode::modern;
    auto session
      = value(ask(*app.self, app.connect(options), open_connection{}));
    CHECK(session.era == era::modern);
  }
  SECTION("legacy against a server that is modern only") {
    options = demo({"--era", "modern"});
    options.mode = era_mode::legacy;
    auto info
      = failure(ask(*app.self, app.connect(options), open_connection{}));
    CHECK(info.name == "unsupported_protocol_version");
  }
  SECTION("modern against a server that is legacy only") {
    options = demo({"--era", "legacy"});
    options.mode = era_mode::modern;
    auto info
      = failure(ask(*app.self, app.connect(options), open_connection{}));
    CHECK(info.name == "handshake_failed");
  }
}

TEST_CASE("a request opens a connection that was not opened") {
  host app;
  auto server = app.connect(demo());
  CHECK(value(ask(*app.self, server, get_session{})).state
        == connection_state::idle);
  CHECK(text_of(
          value(ask(*app.self, server, call_tool("echo", {{"message", "hi"}}))))
        == "hi");
  CHECK(value(ask(*app.self, server, get_session{})).state
        == connection_state::ready);
}

TEST_CASE("a listing collects all pages") {
  host app;
  auto server = app.open(demo({"--tools", "25", "--page-size", "4"}));
  auto tools = value(ask(*app.self, server, list_all{}));
  CHECK(tools.value().as_array().size() > 25);
  list_all bounded;
  bounded.pages_max = 2;
  CHECK(failure(ask(*app.self, server, bounded)).name == "too_many_pages");
}

TEST_CASE("resources, prompts and completions are asked for by helpers") {
  host app;
  auto server = app.open(demo());
  auto greeting
    = value(ask(*app.self, server, read_resource("demo://greeting")));
  CHECK(greeting.value().at("contents").as_array().size() == 1);
  auto prompt
    = value(ask(*app.self, server, get_prompt("greet", {{"name", "Ada"}})));
  CHECK_FALSE(prompt.value().at("messages").as_array().empty());
  auto completed = value(
    ask(*app.self, server, complete({"ref/prompt", "greet"}, "style", "")));
  CHECK(completed.value().at("completion").at("values").is_array());
}

TEST_CASE("an error of the server is told from one of this side") {
  host app;
  auto server = app.open(demo());
  auto unknown
    = failure(ask(*app.self, server, send_request{"no/such/method", {}, {}}));
  CHECK(unknown.origin == error_origin::peer);
  CHECK(unknown.name == "rpc_error");
  CHECK(unknown.code == -32601);
  auto invalid = failure(ask(
    *app.self, server, send_request{"m", payload{boost::json::value(1)}, {}}));
  CHECK(invalid.origin == error_origin::local);
  CHECK(invalid.name == "config_invalid");
}

TEST_CASE("a request that takes too long fails and is cancelled") {
  host app;
  auto server = app.open(demo());
  request_options brief;
  brief.timeout = std::chrono::milliseconds{30};
  auto info = failure(
    ask(*app.self, server, call_tool("slow", {{"ms", 60000}}, brief)));
  CHECK(info.name == "request_timeout");
  CHECK(info.code == -32001);
  CHECK(info.data.value().at("outcome").as_string() == "unknown");
  CHECK(text_of(value(ask(*app.self, server,
                          call_tool("echo", {{"message", "still here"}}))))
        == "still here");
}

TEST_CASE("a lost server fails what is in flight at once, with its status") {
  host app;
  auto options = demo();
  options.max_reconnects = 0;
  options.stderr_to.kind = stderr_kind::capture;
  auto server = app.open(options);
  auto info = failure(
    ask(*app.self, server,
        call_tool("crash", {{"status", 3}, {"stderr", "last words"}})));
  CHECK(info.name == "connection_closed");
  CHECK(info.code == -32000);
  CHECK(info.data.value().at("reason").as_string() == "exit_status");
  CHECK(info.data.value().at("status").as_int64() == 3);
  CHECK(info.data.value().at("outcome").as_string() == "unknown");
  CHECK(info.data.value().at("stderr_tail").as_string() == "last words\n");
  CHECK(value(ask(*app.self, server, get_session{})).state
        == connection_state::closed);
}

TEST_CASE("a notification that cannot be written is refused at once") {
  host app;
  auto options = demo();
  options.max_unwritten_bytes = 1000;
  auto server = app.connect(options);
  auto refused = [&](boost::json::value value) {
    return failure(
      ask(*app.self, server,
          send_notification{"notifications/x",
                            payload{boost::json::value{{"key", value}}}}));
  };
  auto not_utf8 = refused("\xff");
  CHECK(not_utf8.name == "config_invalid");
  CHECK(not_utf8.message
        == "notifications/x: params: every string must be valid UTF-8");
  CHECK(refused(std::numeric_limits<double>::infinity()).message
        == "notifications/x: params: numbers must be finite: JSON has neither "
           "infinity nor NaN");
  auto too_large = refused(boost::json::string(1000, 'x'));
  CHECK(too_large.name == "message_too_large");
  CHECK(too_large.message
        == "notifications/x: params: longer than max_unwritten_bytes 1000");
}

TEST_CASE("a lost server is started again and keeps its era") {
  host app;
  auto server = app.open(demo({"--era", "legacy"}));
  auto first = value(ask(*app.self, server, get_session{})).pid;
  auto info
    = failure(ask(*app.self, server, call_tool("crash", {{"signal", 9}})));
  CHECK(info.data.value().at("reason").as_string() == "signal");
  CHECK(info.data.value().at("signal").as_int64() == 9);
  CHECK(text_of(value(
          ask(*app.self, server, call_tool("echo", {{"message", "again"}}))))
        == "again");
  auto session = value(ask(*app.self, server, get_session{}));
  CHECK(session.pid != first);
  CHECK(session.era == era::legacy);
}

TEST_CASE("close ends the server and fails everything later") {
  host app;
  auto server = app.open(demo());
  auto pid = value(ask(*app.self, server, get_session{})).pid;
  REQUIRE(tests::exists(pid));
  REQUIRE(ask(*app.self, server, close_connection{}));
  CHECK_FALSE(tests::exists(pid));
  CHECK(failure(ask(*app.self, server, call_tool("echo"))).name
        == "connection_closed");
  auto session = value(ask(*app.self, server, get_session{}));
  CHECK(session.state == connection_state::closed);
  CHECK(session.pid == 0);
  CHECK_FALSE(session.server_info);
  CHECK(ask(*app.self, server, close_connection{}));
}

TEST_CASE("to open a connection again is harmless") {
  host app;
  auto server = app.open(demo());
  auto first = value(ask(*app.self, server, get_session{})).pid;
  CHECK(value(ask(*app.self, server, open_connection{})).pid == first);
}

TEST_CASE("an exit message stops a connection and its server") {
  host app;
  auto server = app.open(demo());
  auto pid = value(ask(*app.self, server, get_session{})).pid;
  caf::scoped_actor caller{app.system()};
  auto slow = ask(caller.ptr(), server, call_tool("slow", {{"ms", 60000}}));
  value(ask(*app.self, server, get_session{}));
  caf::anon_send_exit(server, caf::exit_reason::user_shutdown);
  error_info info;
  std::move(slow).receive([](payload&) {},
                          [&](caf::error& error) { info = describe(error); });
  CHECK(info.name == "connection_closed");
  CHECK(info.data.string_member("outcome") == "unknown");
  (*app.self)->wait_for(server);
  CHECK(tests::wait_until([&] { return !tests::exists(pid); }));
}

TEST_CASE("close with a drain time lets requests finish") {
  const auto drain
    = GENERATE(caf::timespan{std::chrono::seconds{10}}, caf::timespan::max(),
               caf::timespan::max() - caf::timespan{5});
  host app;
  auto server = app.open(demo());
  auto other = caf::scoped_actor{app.system()};
  auto slow = ask(other.ptr(), server, call_tool("slow", {{"ms", 100}}));
  REQUIRE(tests::value(ask(*app.self, server, get_session{})).pid > 0);
  REQUIRE(ask(*app.self, server, close_connection{drain}));
  auto answered = false;
  std::move(slow).receive([&](payload&) { answered = true; },
                          [](caf::error&) {});
  CHECK(answered);
}

TEST_CASE("a connection closes when its owner dies") {
  host app;
  auto server = app.connect(demo());
  std::int64_t pid = 0;
  {
    caf::scoped_actor owner{app.system()};
    pid = value(ask(owner, server, open_connection{})).pid;
    REQUIRE(tests::exists(pid));
  }
  CHECK(tests::wait_until([&] { return !tests::exists(pid); }));
  auto info = failure(ask(*app.self, server, call_tool("echo")));
  CHECK(info.data.value().at("reason").as_string() == "owner_down");
}

TEST_CASE("the runtime ends connections that nobody closed") {
  host app;
  auto server = app.open(demo());
  auto stubborn = app.open(host::program("test-ignore-term"));
  auto pid = value(ask(*app.self, server, get_session{})).pid;
  app.stop_runtime();
  CHECK_FALSE(tests::exists(pid));
  CHECK(tests::children().empty());
}

TEST_CASE("a command that does not exist fails at once") {
  host app;
  server_options options;
  options.command = "no-such-command";
  auto info = failure(ask(*app.self, app.connect(options), open_connection{}));
  CHECK(info.name == "command_not_found");
  CHECK(info.message.find("no-such-command") != std::string::npos);
}

TEST_CASE("a server that exits before it answers fails the start at once") {
  host app;
  auto options = host::program("test-exit-at-once", {"3", "no key"});
  options.stderr_to.kind = stderr_kind::capture;
  auto info = failure(ask(*app.self, app.connect(options), open_connection{}));
  CHECK(info.name == "connection_closed");
  CHECK(info.data.value().at("reason").as_string() == "exit_status");
  CHECK(info.data.value().at("status").as_int64() == 3);
  CHECK(info.data.value().at("stderr_tail").as_string() == "no key\n");
}

TEST_CASE("a request whose capability is missing is not sent") {
  host app;
  auto server = app.open(host::program("test-junk-lines", {"0"}));
  auto info = failure(ask(*app.self, server, read_resource("demo://a")));
  CHECK(info.name == "capability_missing");
  CHECK(info.data.string_member("capability") == "resources");
}

TEST_CASE("a result is asked for again once it is stale") {
  player script{"cached"};
  host app;
  auto options = script.options();
  const auto is_cached = GENERATE(true, false);
  options.max_cached_responses = is_cached ? 10 : 0;
  auto server = app.open(options);
  caf_mcp::listen message;
  message.filter.tools = true;
  value(ask(*app.self, server, message));
  CHECK(tests::heard(*app.self) == "accepted tools");
  for (auto i = 0; i < 3; ++i)
    CHECK(value(ask(*app.self, server, list_all{})).value().as_array().size()
          == 1);
  CHECK(script.received("tools/list") == (is_cached ? 1 : 3));
  value(ask(*app.self, server, call_tool("t"))); // has the tools change
  CHECK(tests::heard(*app.self) == "event tools_changed");
  value(ask(*app.self, server, list_all{}));
  CHECK(script.received("tools/list") == (is_cached ? 2 : 4));
}
