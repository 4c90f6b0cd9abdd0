// What servers do wrong without harm: it costs nothing, but is told.
#include "tests/support/log_book.hpp"
#include "tests/support/player.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

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
std::string remark_on(std::string_view name) {
  player script{name};
  host app;
  log_book log{app.system()};
  auto server = app.connect(script.options(), log.listener());
  call_t(app, server);
  auto remarks = log.remarks(1);
  REQUIRE_FALSE(remarks.empty());
  return remarks[0];
}

} // namespace

TEST_CASE("a server that bends the ids of requests is told of, once") {
  player script{GENERATE("B51", "B53")};
  host app;
  log_book log{app.system()};
  auto server = app.connect(script.options(), log.listener());
  for (auto i = 0; i < 3; ++i)
    value(call_t(app, server));
  REQUIRE(ask(*app.self, server, close_connection{}));
  auto remarks = log.remarks(1);
  REQUIRE(remarks.size() == 1);
  CHECK_THAT(remarks[0], StartsWith("the server wrote the id "));
}

TEST_CASE("an answer to nothing is told of") {
  CHECK(remark_on("B124")
        == "the server sent an answer that nobody waits for; 1 so far");
  CHECK(remark_on("B55")
        == R"(the server sent an answer that nobody waits for: {"code":-32601,)"
           R"("message":"Method not found: notifications/initialized",)"
           R"("data":null}; 1 so far)");
  CHECK_THAT(remark_on("B87"),
             StartsWith("the server sent an answer that nobody waits for: "
                        R"({"code":-32600,"message":"Bad Request)"));
}

TEST_CASE("a late answer is told of, with its id") {
  CHECK_THAT(remark_on("B85"),
             StartsWith("the server sent an answer that nobody waits for, "
                        "with the id "));
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
  CHECK_THAT(remarks[0],
             StartsWith("the server sent an answer that nobody waits for, "
                        "with the id "));
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
             StartsWith("the server sent what answers no request and cannot be "
                        "read: not valid JSON: "));
  CHECK(remarks[1]
        == "the server sent what answers no request and cannot be read: method "
           "is not a string; 2 so far");
}

TEST_CASE("a batch is told of where the protocol has none") {
  player script{"B59"};
  host app;
  log_book log{app.system()};
  auto options = script.options();
  options.request_timeout = 300ms;
  auto server = app.connect(options, log.listener());
  caf::scoped_actor other{app.system()};
  auto first
    = caf_version::ask(*other.ptr(), server, caf::infinite, call_tool("t"));
  CHECK(failure(call_t(app, server)).name == "request_timeout");
  std::move(first).receive([](payload&) {}, [](caf::error&) {});
  CHECK(
    log.remarks(1)
    == std::vector<std::string>{"the server sent a batch of messages, which "
                                "only 2025-03-26 has; 1 so far"});
}

TEST_CASE("a request that nobody handles is told of") {
  CHECK_THAT(remark_on("B80"),
             StartsWith("the server sent the request sampling/createMessage, "
                        "which was refused: "));
}

TEST_CASE("lines that are no messages are told, and harmless to a terminal") {
  player script{"B30"};
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
    player script{"B26"};
    auto server = app.connect(script.options(), log.listener());
    value(call_t(app, server));
    CHECK(log.junk(1)
          == std::vector<std::string>{"Example MCP Server v1.2 running on "
                                      "stdio"});
  }
  SECTION("one with each call") {
    player script{"B28"};
    auto server = app.connect(script.options(), log.listener());
    for (auto i = 0; i < 3; ++i)
      value(call_t(app, server));
    CHECK(log.junk(3)
          == std::vector<std::string>(3, "console.log: starting work"));
  }
}
