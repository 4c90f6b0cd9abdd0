// What servers do wrong without harm: it costs nothing, but is told.
#include "tests/support/log_book.hpp"
#include "tests/support/player.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <chrono>

using namespace caf_mcp;
using namespace std::chrono_literals;
using Catch::Matchers::StartsWith;
using tests::call_t;
using tests::failure;
using tests::host;
using tests::log_book;
using tests::player;
using tests::value;

namespace {

/// Plays a script to a client that calls `t`, and returns the first remark.
std::string remark_on(std::string_view name,
                      std::chrono::milliseconds probe_timeout = 3s) {
  player script{name};
  auto options = script.options();
  options.probe_timeout = probe_timeout;
  host app;
  log_book log{app.system()};
  auto server = app.connect(options, log.listener());
  call_t(app, server);
  auto remarks = log.remarks(1);
  REQUIRE_FALSE(remarks.empty());
  return remarks[0];
}

} // namespace

TEST_CASE("a server that bends the ids of requests is told of, once") {
  player script{GENERATE("string-ids", "float-ids")};
  host app;
  log_book log{app.system()};
  auto server = app.connect(script.options(), log.listener());
  for (auto i = 0; i < 3; ++i)
    value(call_t(app, server));
  REQUIRE(ask(*app.self, server, close_connection{}));
  auto remarks = log.remarks(1);
  REQUIRE(remarks.size() == 1);
  CHECK_THAT(remarks[0],
             StartsWith("the server gave an id back in another form"));
}

TEST_CASE("an answer to nothing is told of") {
  CHECK(remark_on("answers-initialized")
        == "the server sent an answer that names no request; 1 so far");
  CHECK(remark_on("error-without-id")
        == "the server sent an error that names no request: -32601 Method not "
           "found: notifications/initialized; 1 so far");
  CHECK_THAT(remark_on("probe-refused-other-id"),
             StartsWith("the server sent an error that names no request: "
                        "-32600 Bad Request"));
}

TEST_CASE("a late answer is told of, with its id") {
  CHECK_THAT(remark_on("probe-answered-late", 200ms),
             StartsWith("the server answered the request "));
}

TEST_CASE("a second answer to a request is told of, and changes nothing") {
  player script{"answers-twice"};
  host app;
  log_book log{app.system()};
  auto server = app.connect(script.options(), log.listener());
  for (const auto* text : {"first 1", "first 2"}) {
    auto result = value(call_t(app, server));
    CHECK(result.value().at("content").as_array().at(0).at("text") == text);
  }
  auto remarks = log.remarks(1);
  REQUIRE_FALSE(remarks.empty());
  CHECK_THAT(remarks[0], StartsWith("the server answered the request "));
}

TEST_CASE("a message that cannot be read is told of") {
  player script{"unreadable-messages"};
  host app;
  log_book log{app.system()};
  auto server = app.connect(script.options(), log.listener());
  value(call_t(app, server));
  auto remarks = log.remarks(2);
  REQUIRE(remarks.size() == 2);
  CHECK_THAT(remarks[0],
             StartsWith("the server sent a message that cannot be used: not "
                        "valid JSON: "));
  CHECK(remarks[1]
        == "the server sent a message that cannot be used: method is not a "
           "string; 2 so far");
}

TEST_CASE("a batch is told of where the protocol has none") {
  player script{"batches"};
  host app;
  log_book log{app.system()};
  auto options = script.options();
  options.request_timeout = 300ms;
  auto server = app.connect(options, log.listener());
  // The time that the server takes to start is not that of its answer.
  value(ask(*app.self, server, open_connection{}));
  caf::scoped_actor other{app.system()};
  auto first = ask(other.ptr(), server, call_tool("t"));
  CHECK(failure(call_t(app, server)).name == "request_timeout");
  std::move(first).receive([](payload&) {}, [](caf::error&) {});
  CHECK(
    log.remarks(1)
    == std::vector<std::string>{"the server sent a batch, which this version "
                                "of the protocol does not have; 1 so far"});
}

TEST_CASE("a request that nobody handles is told of") {
  CHECK_THAT(remark_on("unsupported-requests"),
             StartsWith("the server sent the request sampling/createMessage, "
                        "which nobody here answers"));
}

TEST_CASE("requests of a modern server are told of from the start") {
  player script{"modern-request-at-start"};
  host app;
  log_book log{app.system()};
  auto options = script.options();
  options.mode = era_mode::modern;
  auto server = app.connect(options, log.listener());
  value(call_t(app, server));
  CHECK(script.checks_hold());
  CHECK(log.remarks(2)
        == std::vector<std::string>{
          "the server sent the request ping, which a modern server must not "
          "do; 1 so far",
          "the server sent the request roots/list, which a modern server must "
          "not do; 2 so far"});
}

TEST_CASE("a notification without what it needs is told of") {
  player script{"incomplete-notifications"};
  host app;
  log_book log{app.system()};
  auto server = app.connect(script.options(), log.listener());
  value(call_t(app, server));
  CHECK(log.remarks(3)
        == std::vector<std::string>{
          "the server sent notifications/resources/updated without a valid "
          "uri; 1 so far",
          "the server sent notifications/resources/updated without a valid "
          "uri; 2 so far",
          "the server sent notifications/message without a valid level; 4 so "
          "far"});
}

TEST_CASE("lines that are no messages are told, and harmless to a terminal") {
  player script{"coloured-log-lines"};
  host app;
  log_book log{app.system()};
  auto server = app.connect(script.options(), log.listener());
  value(call_t(app, server));
  CHECK(log.junk(1)
        == std::vector<std::string>{R"(\x1b[33m[WARN] connecting\x1b[0m)"});
}

TEST_CASE("each line that is no message is told once") {
  host app;
  log_book log{app.system()};
  SECTION("a banner") {
    player script{"banner-before-initialize"};
    auto server = app.connect(script.options(), log.listener());
    value(call_t(app, server));
    CHECK(log.junk(1)
          == std::vector<std::string>{"Example MCP Server v1.2 running on "
                                      "stdio"});
  }
  SECTION("one with each call") {
    player script{"junk-line-between-answers"};
    auto server = app.connect(script.options(), log.listener());
    for (auto i = 0; i < 3; ++i)
      value(call_t(app, server));
    CHECK(log.junk(3)
          == std::vector<std::string>(3, "console.log: starting work"));
  }
}

TEST_CASE("what is odd about a server is told, and costs nothing else") {
  player script{"protocol-violations"};
  host app;
  caf::scoped_actor log{app.system()};
  auto server = app.connect(script.options(),
                            caf::actor_cast<log_listener>(caf::actor{log}));
  value(call_t(app, server));
  value(call_t(app, server)); // with an id that is bent again
  for (const auto* expected : {
         "sent an error that names no request: -32601 who?; 1 so far",
         "answered the request 4711, which waits for no answer; 1 so far",
         "sent an answer that names no request; 2 so far",
         "sent the unknown notification server/\\x1b[2Jready; 1 so far",
         "reported progress of no request; 1 so far",
         "sent the request roots/list, which nobody here answers; 1 so far",
         "sent a message that cannot be used: ",
         "sent a batch, which this version of the protocol does not have; 1 so "
         "far",
         "gave an id back in another form, which is told once; 1 so far",
       }) {
    std::vector<std::string> remarks;
    log->receive([&](const server_output& output) { remarks = output.remarks; },
                 caf::after(std::chrono::seconds{10}) >> [] {});
    REQUIRE(remarks.size() == 1);
    CHECK(remarks[0].starts_with("the server " + std::string{expected}));
  }
  REQUIRE(ask(*app.self, server, close_connection{}));
  auto is_silent = false;
  log->receive([](const server_output&) {}, caf::after(std::chrono::seconds{0})
                                              >> [&] { is_silent = true; });
  CHECK(is_silent);
}
