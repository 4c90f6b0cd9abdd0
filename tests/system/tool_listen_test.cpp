#include "tests/support/paths.hpp"
#include "tests/support/player.hpp"
#include "tests/support/tool.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <csignal>

using Catch::Matchers::ContainsSubstring;
using tests::binary;
using tests::run_tool;
using tests::tool_result;
using tests::tool_run;

namespace {

/// Behind the words, the command of a server that reports changes and logs.
std::vector<std::string> with_reports(std::vector<std::string> words) {
  words.insert(words.end(), {"--mode", "legacy", "--"});
  const auto server = tests::script_command("reports-itself");
  words.insert(words.end(), server.begin(), server.end());
  return words;
}

tool_result follow(std::vector<std::string> words) {
  return run_tool(with_reports(std::move(words)));
}

constexpr std::string_view accepted
  = R"({"event":"accepted","notifications":{"toolsListChanged":true,)"
    R"("resourceSubscriptions":["demo://a"]}})"
    "\n";

} // namespace

TEST_CASE("listen prints one JSON line an event", "[tool][listen]") {
  auto result
    = follow({"listen", "--tools", "--uri", "demo://a", "--count", "3"});
  CHECK(result.status == 0);
  CHECK(result.err.empty());
  CHECK(result.out
        == std::string{accepted}
             + R"({"event":"resource_updated","uri":"demo://a"})"
               "\n"
               R"({"event":"tools_changed"})"
               "\n"
               R"({"event":"resource_updated","uri":"demo://a/b"})"
               "\n");
}

TEST_CASE("listen ends after its time", "[tool][listen]") {
  auto result = run_tool(
    {"listen", "--for", "200", "--json", "--", binary("demo-server")});
  CHECK(result.status == 0);
  CHECK(result.out
        == R"({"event":"accepted","notifications":{"toolsListChanged":true,)"
           R"("promptsListChanged":true,"resourcesListChanged":true}})"
           "\n");
}

TEST_CASE("an interrupt ends listen, which has printed what it heard",
          "[tool][listen]") {
  tool_run run{with_reports({"listen", "--tools", "--uri", "demo://a"})};
  run.wait_for_output("demo://a/b");
  run.signal(SIGINT);
  auto result = run.finish();
  CHECK(result.status == 130);
  INFO(result.err);
  CHECK(result.err.empty());
  CHECK(result.out.starts_with(accepted));
}

TEST_CASE("listen ends when nobody reads what it prints", "[tool][listen]") {
  tool_run run{with_reports({"listen", "--tools", "--uri", "demo://a"})};
  run.close_stdout();
  CHECK(run.finish().status == 0);
}

TEST_CASE("what a server cannot report is an error", "[tool][listen]") {
  auto result
    = run_tool({"listen", "--json", "--", binary("test-junk-lines"), "0"});
  CHECK(result.status == 4);
  CHECK_THAT(result.err, ContainsSubstring("caf-mcp: capability_missing: "));
  CHECK(tests::only_json(result.out).at("error").at("name")
        == "capability_missing");
}

TEST_CASE("logs prints messages from its level on", "[tool][listen]") {
  auto text = follow({"logs", "--count", "2"});
  CHECK(text.status == 0);
  CHECK(text.out == "error disk: full\ninfo: {\"free\":0.5}\n");
  auto json = follow({"logs", "--level", "error", "--count", "1", "--json"});
  CHECK(json.status == 0);
  CHECK(json.out
        == R"({"level":"error","logger":"disk","data":"full"})"
           "\n");
}

TEST_CASE("logs says why a modern server may be silent", "[tool][listen]") {
  auto result = run_tool({"logs", "--for", "50", "--", binary("demo-server")});
  CHECK(result.status == 0);
  CHECK(result.out.empty());
  CHECK_THAT(result.err, ContainsSubstring("logs only for requests"));
}

TEST_CASE("limits and levels that make no sense are refused",
          "[tool][listen]") {
  CHECK(follow({"listen", "--count", "0"}).status == 2);
  CHECK(follow({"listen", "--for", "soon"}).status == 2);
  auto level = follow({"logs", "--level", "loud"});
  CHECK(level.status == 2);
  CHECK_THAT(level.err, ContainsSubstring("level: is \"loud\"; must be debug"));
}
