// What the tool answers a server that asks for something.
#include "tests/support/paths.hpp"
#include "tests/support/player.hpp"
#include "tests/support/scratch_directory.hpp"
#include "tests/support/tool.hpp"
#include "tests/support/wait_until.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <csignal>
#include <filesystem>
#include <fstream>

using Catch::Matchers::ContainsSubstring;
using tests::binary;
using tests::only_json;
using tests::run_tool;
using tests::tool_run;
using tests::tool_screen;

namespace {

std::vector<std::string> demo(std::vector<std::string> words,
                              const std::string& era) {
  words.insert(words.end(), {"--", binary("demo-server"), "--era", era});
  return words;
}

tool_run::setup with_person() {
  tool_run::setup how;
  how.screen = tool_screen::terminal;
  how.has_keyboard = true;
  return how;
}

/// Calls a tool of a server that plays a script.
std::vector<std::string> scripted_call(const std::string& script) {
  auto words = tests::script_command(script);
  words.insert(words.begin(), {"call", "t", "--json", "--"});
  return words;
}

} // namespace

TEST_CASE("a form is filled in on the terminal", "[tool]") {
  auto era = GENERATE(as<std::string>{}, "legacy", "modern");
  tool_run run{demo({"call", "ask", "--json"}, era), with_person()};
  run.wait_for_output("Who are you?");
  run.wait_for_output("Name (string): ");
  run.type("\n");
  run.wait_for_output("is required");
  run.type("Ada\n");
  run.wait_for_output("Age (integer, may be empty) [42]: ");
  run.type("old\n");
  run.wait_for_output("must be an integer");
  run.type("\n");
  run.wait_for_output("Send this to the server (yes or no)? ");
  run.type("yes\n");
  auto result = run.finish();
  CHECK(result.status == 0);
  CHECK_THAT(result.out,
             ContainsSubstring(
               R"({"action":"accept","content":{"name":"Ada","age":42}})"));
}

TEST_CASE("a form can be declined and cancelled on the terminal", "[tool]") {
  auto [typed, action] = GENERATE(table<std::string, std::string>(
    {{"Ada\n7\nno\n", "decline"}, {"Ada\n\x04", "cancel"}}));
  tool_run run{demo({"call", "ask", "--json"}, "modern"), with_person()};
  run.wait_for_output("Name (string): ");
  run.type(typed);
  auto result = run.finish();
  CHECK(result.status == 0);
  CHECK_THAT(result.out, ContainsSubstring(R"({"action":")" + action + '"'));
}

TEST_CASE("all kinds of fields are read, and asked for again", "[tool]") {
  tool_run run{scripted_call("ask-form"), with_person()};
  const std::pair<const char*, const char*> dialog[]{
    {"Colour (one of r (Red), g (Green)): ", "blue\n"},
    {"must be one of r (Red), g (Green)", "Red\n"},
    {"Toppings (any of a, b, c, separated by commas, may be empty): ", "a,x\n"},
    {"must be any of a, b, c, separated by commas", "a, c\n"},
    {"Sure (yes or no): ", "maybe\n"},
    {"must be yes or no", "y\n"},
    {"Size (number): ", "11\n"},
    {"must be at most 10", "2.5\n"},
    {"Mail (string): ", "nobody\n"},
    {"must be in the format email", "a@b\n"},
    {"Send this to the server", "yes\n"}};
  for (const auto& [question, answer] : dialog) {
    INFO(question);
    run.wait_for_output(question);
    run.type(answer);
  }
  auto result = run.finish();
  CHECK(result.status == 0);
  CHECK_THAT(result.out,
             ContainsSubstring(
               R"("content":{"colour":"r","toppings":["a","c"],"sure":true,)"
               R"("size":2.5,"mail":"a@b"})"));
}

TEST_CASE("a page to visit is shown, and not opened", "[tool]") {
  tool_run run{scripted_call("ask-url"), with_person()};
  run.wait_for_output("https://example.com/\\x1b[2Jpay");
  run.wait_for_output("Go on (yes or no)? ");
  run.type("yes\n");
  auto result = run.finish();
  CHECK(result.status == 0);
  CHECK_THAT(result.out, ContainsSubstring(R"("answer":{"action":"accept"})"));
}

TEST_CASE("without a terminal everything is declined", "[tool]") {
  auto era = GENERATE(as<std::string>{}, "legacy", "modern");
  auto result = run_tool(demo({"call", "ask", "--json"}, era));
  CHECK(result.status == 0);
  CHECK(only_json(result.out).at("structuredContent").at("action")
        == "decline");
  auto page = run_tool(scripted_call("ask-url"));
  CHECK_THAT(page.out, ContainsSubstring(R"("answer":{"action":"decline"})"));
}

TEST_CASE("three rounds of input are three dialogs", "[tool]") {
  tool_run run{demo({"call", "ask", "rounds:=3", "--json"}, "modern"),
               with_person()};
  run.type("A\n1\nyes\nB\n2\nyes\nC\n3\nyes\n");
  auto result = run.finish();
  CHECK(result.status == 0);
  CHECK_THAT(result.out,
             ContainsSubstring(R"("content":{"name":"C","age":3})"));
}

TEST_CASE("a command answers requests for sampling", "[tool]") {
  auto era = GENERATE(as<std::string>{}, "legacy", "modern");
  auto result
    = run_tool(demo({"call", "sample", "prompt=hello", "--json",
                     "--sampling-command", R"(sh -c "cat; exec true")"},
                    era));
  REQUIRE(result.status == 0);
  auto sampled = only_json(result.out).at("structuredContent");
  CHECK(sampled.at("maxTokens") == 100);
  CHECK(sampled.at("messages").at(0).at("content").at("text") == "hello");
}

TEST_CASE("a sampling command that fails fails the call", "[tool]") {
  auto [command, why] = GENERATE(table<std::string, std::string>(
    {{"false", "it ended with status 1"},
     {"echo hello", "it did not write a JSON object"},
     {R"(sh -c "kill -9 $$")", "it was killed by signal 9"}}));
  auto result = run_tool(
    demo({"call", "sample", "--sampling-command", command}, "modern"));
  CHECK(result.status == 4);
  CHECK_THAT(result.err, ContainsSubstring("handler_failed"));
  CHECK_THAT(result.err, ContainsSubstring(why));
}

TEST_CASE("a sampling command is killed with its request", "[tool]") {
  tests::scratch_directory scratch;
  auto started = scratch.path() + "/started";
  tool_run run{demo({"call", "sample", "--sampling-command",
                     "sh -c 'sleep 600 & echo $! >" + started + "; wait'"},
                    "modern")};
  auto pid = [&] {
    std::ifstream file{started};
    auto result = std::int64_t{0};
    file >> result;
    return result;
  };
  REQUIRE(tests::wait_until([&] { return pid() > 0; }));
  run.signal(SIGINT);
  CHECK(run.finish().status == 130);
  // It may be a zombie of init for a moment.
  CHECK(tests::wait_until([&] {
    return !std::filesystem::exists("/proc/" + std::to_string(pid()) + "/exe");
  }));
}

TEST_CASE("a sampling command that does not exist is told at once", "[tool]") {
  auto result = run_tool(demo(
    {"call", "sample", "--sampling-command", "no-such-program"}, "modern"));
  CHECK(result.status == 2);
  CHECK_THAT(result.err, ContainsSubstring("sampling-command"));
  CHECK_THAT(result.err, ContainsSubstring("no-such-program"));
}
