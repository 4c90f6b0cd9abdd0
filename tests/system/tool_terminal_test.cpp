#include "tests/support/paths.hpp"
#include "tests/support/processes.hpp"
#include "tests/support/scratch_directory.hpp"
#include "tests/support/tool.hpp"
#include "tests/support/wait_until.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <csignal>
#include <fstream>
#include <iterator>

using caf_mcp::test::scratch_directory;
using Catch::Matchers::ContainsSubstring;
using tests::binary;
using tests::run_tool;
using tests::tool_run;
using tests::tool_screen;
using tests::wait_until;

namespace {

std::string content(const std::string& path) {
  std::ifstream file{path};
  return {std::istreambuf_iterator<char>{file}, {}};
}

/// A demo server whose stdin and pid are on record.
class recorded_server {
public:
  std::vector<std::string> command(std::vector<std::string> words) const {
    words.insert(words.end(),
                 {"--", "sh", "-c",
                  R"(echo $$ >"$2"; tee "$1" | "$0"; echo gone >"$3")",
                  binary("demo-server"), scratch_.path() + "/in",
                  scratch_.path() + "/pid", scratch_.path() + "/end"});
    return words;
  }

  /// What the server was sent so far.
  std::string input() const {
    return content(scratch_.path() + "/in");
  }

  std::int64_t pid() const {
    return std::stoll(content(scratch_.path() + "/pid"));
  }

private:
  scratch_directory scratch_;
};

} // namespace

TEST_CASE("an interrupt cancels the request and stops the server", "[tool]") {
  auto signal = GENERATE(SIGINT, SIGTERM, SIGHUP);
  recorded_server server;
  tool_run run{server.command({"call", "slow", "ms:=60000", "--json"})};
  REQUIRE(wait_until(
    [&] { return server.input().find("tools/call") != std::string::npos; }));
  run.signal(signal);
  auto result = run.finish();
  CHECK(result.status == 130);
  auto error = tests::only_json(result.out).at("error").as_object();
  CHECK(error.at("name") == "cancelled");
  CHECK(result.err == "caf-mcp: cancelled: interrupted\n");
  CHECK_THAT(server.input(), ContainsSubstring("notifications/cancelled"));
  CHECK_FALSE(tests::group_runs(server.pid()));
  CHECK(result.elapsed < std::chrono::seconds{30});
}

TEST_CASE("an interrupt ends the wait for a server that is never ready",
          "[tool]") {
  scratch_directory scratch;
  tool_run run{{"tools", "--", "sh", "-c", R"(echo $$ >"$1"; exec "$0")",
                binary("test-never-answer"), scratch.path() + "/pid"}};
  REQUIRE(wait_until(
    [&] { return content(scratch.path() + "/pid").ends_with('\n'); }));
  run.signal(SIGINT);
  auto result = run.finish();
  CHECK(result.status == 130);
  CHECK(result.out.empty());
  CHECK_FALSE(tests::exists(std::stoll(content(scratch.path() + "/pid"))));
}

TEST_CASE("a second interrupt ends the tool at once", "[tool]") {
  recorded_server server;
  auto words = server.command({"call", "slow", "ms:=60000", "--stdin-grace",
                               "50000", "--term-grace", "50000"});
  // It does not answer, nor leave by itself.
  words[words.size() - 4] = binary("test-stop-reading");
  tool_run run{words};
  REQUIRE(wait_until(
    [&] { return server.input().find("tools/call") != std::string::npos; }));
  run.signal(SIGINT);
  REQUIRE(wait_until([&] {
    return server.input().find("notifications/cancelled") != std::string::npos;
  }));
  run.signal(SIGINT);
  auto result = run.finish();
  CHECK(result.status == 130);
  CHECK(result.elapsed < std::chrono::seconds{40});
  ::kill(static_cast<pid_t>(-server.pid()), SIGKILL);
}

TEST_CASE("progress is shown on a terminal only", "[tool]") {
  const std::vector<std::string> words{
    "call", "slow", "ms:=100", "steps:=4", "--", binary("demo-server")};
  tool_run::setup how;
  how.screen = tool_screen::terminal;
  auto shown = run_tool(words, how);
  CHECK(shown.status == 0);
  CHECK_THAT(shown.out, ContainsSubstring("2/4 50% step 2 of 4"));
  CHECK_THAT(shown.out, ContainsSubstring("\r\x1b[Kdone after 100 ms\r\n"));
  auto piped = run_tool(words);
  CHECK(piped.out == "done after 100 ms\n");
  CHECK(piped.err.empty());
}

TEST_CASE("a terminal gets no control characters from the server", "[tool]") {
  const std::vector<std::string> words{
    "call", "echo",
    "message=a\x1b]0;title\x07 \x1b[31mred\x1b[0m\tb\x7f"
    "\xC2\x9B\xE2\x80\xAE\nc",
    "--", binary("demo-server")};
  tool_run::setup how;
  how.screen = tool_screen::terminal;
  CHECK_THAT(run_tool(words, how).out,
             ContainsSubstring("a\\x1b]0;title\\x07 red\tb\\x7f\\x9b\\u202e"
                               "\r\nc\r\n"));
  // A file or a program gets what the server sent.
  CHECK(run_tool(words).out
        == "a\x1b]0;title\x07 \x1b[31mred\x1b[0m\tb\x7f\xC2\x9B\xE2\x80\xAE\n"
           "c\n");
}

TEST_CASE("what a failure quotes is harmless, too", "[tool]") {
  auto result
    = run_tool({"call", "no\x1b[2Jsuch", "--", binary("demo-server")});
  CHECK(result.status == 4);
  CHECK_THAT(result.err, ContainsSubstring("no\\x1b[2Jsuch"));
}
