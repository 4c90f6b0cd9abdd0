#include "tests/support/player.hpp"
#include "tests/support/tool.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <csignal>

using Catch::Matchers::ContainsSubstring;
using tests::only_json;
using tests::run_tool;
using tests::tool_run;
using tests::tool_screen;

namespace {

/// Puts a server that plays a script behind the words.
std::vector<std::string> scripted(std::vector<std::string> words,
                                  const std::string& name) {
  const auto server = tests::script_command(name);
  words.emplace_back("--");
  words.insert(words.end(), server.begin(), server.end());
  return words;
}

std::vector<std::string> typed(std::vector<std::string> words) {
  words.insert(words.begin(), {"call", "typed", "--json"});
  return scripted(std::move(words), "typed-arguments");
}

} // namespace

TEST_CASE("a call sends values as the tool's schema has them", "[tool]") {
  auto era = GENERATE(as<std::string>{}, "legacy", "modern");
  auto result
    = run_tool(typed({"count=123456789012345678901", "exact=0.1", "flag=true",
                      "word=right", "place.x=2", "--mode", era}));
  CHECK(result.status == 0);
  CHECK_THAT(result.out, ContainsSubstring(
                           R"({"count":123456789012345678901,"exact":0.1,)"
                           R"("flag":true,"word":"right","place":{"x":2}})"));
}

TEST_CASE("a call that does not fit the schema ends before the tool is called",
          "[tool]") {
  const auto refusal = [](std::vector<std::string> words) {
    auto result = run_tool(typed(std::move(words)));
    CHECK(result.status == 2);
    auto error = only_json(result.out).at("error").as_object();
    CHECK(error.at("name") == "config_invalid");
    return std::string{error.at("message").as_string()};
  };
  CHECK(refusal({"count=x"}) == "count: is \"x\"; must be an integer");
  CHECK_THAT(refusal({"count=1", "wrod=a"}),
             ContainsSubstring("the nearest is word"));
  CHECK(refusal({"word=a"})
        == "arguments: required and missing: count (an integer)");
}

TEST_CASE("a call checks the result by the tool's outputSchema", "[tool]") {
  auto result = run_tool(typed({"count=1", "word=wrong"}));
  CHECK(result.status == 4);
  CHECK_THAT(result.out, ContainsSubstring("invalid_response"));
  result = run_tool(typed({"count=1", "word=wrong", "--no-list"}));
  CHECK(result.status == 0);
  CHECK_THAT(result.out, ContainsSubstring(R"({"count":"1","word":"wrong"})"));
}

TEST_CASE("what a call lacks is asked for on a terminal, until it fits",
          "[tool]") {
  tool_run::setup how;
  how.screen = tool_screen::terminal;
  how.has_keyboard = true;
  tool_run run{typed({"word=right"}), how};
  run.wait_for_output("count - How many (an integer): ");
  run.type("x\n");
  run.wait_for_output("must be an integer");
  run.type("7\n");
  run.wait_for_output(R"({"word":"right","count":7})");
  CHECK(run.finish().status == 0);
}

TEST_CASE("an interrupt ends the question for what a call lacks", "[tool]") {
  tool_run::setup how;
  how.screen = tool_screen::terminal;
  how.has_keyboard = true;
  tool_run run{typed({}), how};
  run.wait_for_output("count - How many");
  run.signal(SIGINT);
  CHECK(run.finish().status == 130);
}

TEST_CASE("a server that refuses to list its tools is called all the same",
          "[tool]") {
  auto result
    = run_tool(scripted({"call", "t", "a=1", "--json"}, "refuses-to-list"));
  CHECK(result.status == 0);
  CHECK_THAT(result.out, ContainsSubstring(R"({"a":"1"})"));
  CHECK_THAT(result.err, ContainsSubstring("no list today"));
}

TEST_CASE("a prompt gets strings whatever was typed", "[tool]") {
  auto result = run_tool(
    scripted({"prompt", "p", "n:=5", R"({"m": [1]})", "[a=1,b=2]", "--json"},
             "typed-arguments"));
  CHECK(result.status == 0);
  CHECK_THAT(result.out,
             ContainsSubstring(R"({"n":"5","m":"[1]","[a":"1,b=2]"})"));
}
