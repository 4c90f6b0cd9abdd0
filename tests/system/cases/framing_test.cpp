// Output that is no plain sequence of lines.
#include "tests/support/player.hpp"
#include "tests/support/processes.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include <string_view>

using namespace caf_mcp;
using namespace std::chrono_literals;
using tests::call_t;
using tests::failure;
using tests::host;
using tests::player;
using tests::value;

TEST_CASE("lines that are no messages cost nothing but themselves") {
  const auto* name
    = GENERATE("banner-before-initialize", "junk-line-between-answers",
               "coloured-log-lines", "crlf-lines", "answers-in-pieces",
               "notification-before-initialize");
  INFO(name);
  player script{name};
  host app;
  auto server = app.open(script.options());
  for (auto i = 0; i < (std::string_view{name} == "junk-line-between-answers"
                            || std::string_view{name} == "answers-in-pieces"
                          ? 3
                          : 1);
       ++i)
    value(call_t(app, server));
}

TEST_CASE("only a newline ends a message") {
  player script{"unicode-line-separators"};
  host app;
  auto server = app.open(script.options());
  auto result = value(call_t(app, server));
  auto text = std::string{
    result.value().at("content").as_array().at(0).at("text").as_string()};
  CHECK(text.find("\xE2\x80\xA8") != std::string::npos);
}

TEST_CASE("newlines in an argument stay inside one line") {
  player script{"newlines-in-arguments"};
  host app;
  auto server = app.open(script.options());
  value(call_t(app, server, {},
               {{"q", std::string{"SELECT 1\nFROM t\r\n\tWHERE \x01=2"}}}));
  REQUIRE(ask(*app.self, server, close_connection{}));
  CHECK(script.checks_hold());
  CHECK_FALSE(script.marked("broken-line"));
}

TEST_CASE("a line without end closes the connection at the limit") {
  player script{"endless-line"};
  host app;
  auto options = script.options();
  options.stdin_grace = 200ms;
  auto server = app.open(options);
  auto info = failure(call_t(app, server));
  CHECK(info.name == "connection_closed");
  CHECK(info.data.value().at("reason").as_string() == "message_too_large");
  CHECK(info.data.value().at("limit").as_int64() == 8388608);
  REQUIRE(ask(*app.self, server, close_connection{}));
  CHECK(tests::children().empty());
}
