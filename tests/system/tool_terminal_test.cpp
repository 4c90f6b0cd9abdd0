#include "tests/support/paths.hpp"
#include "tests/support/player.hpp"
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

using Catch::Matchers::ContainsSubstring;
using tests::binary;
using tests::run_tool;
using tests::scratch_directory;
using tests::script_command;
using tests::tool_run;
using tests::tool_screen;
using tests::wait_until;

namespace {

std::string file_content(const std::string& path) {
  std::ifstream file{path};
  return {std::istreambuf_iterator<char>{file}, {}};
}

/// A server whose stdin and pid are on record.
class recorded_server {
public:
  /// `program` is its command.
  explicit recorded_server(std::vector<std::string> program
                           = {binary("demo-server")})
    : program_{std::move(program)} {
    // nop
  }

  std::vector<std::string> command(std::vector<std::string> words) const {
    words.insert(
      words.end(),
      {"--", "sh", "-c",
       R"(echo $$ >"$0/pid"; tee "$0/in" | "$@"; echo gone >"$0/end")",
       scratch_.path()});
    words.insert(words.end(), program_.begin(), program_.end());
    return words;
  }

  /// What the server was sent so far.
  std::string input() const {
    return file_content(scratch_.path() + "/in");
  }

  /// Waits until the server was sent `text`.
  bool gets(std::string_view text) const {
    return wait_until([&] { return input().find(text) != std::string::npos; });
  }

  std::int64_t pid() const {
    return std::stoll(file_content(scratch_.path() + "/pid"));
  }

private:
  std::vector<std::string> program_;
  scratch_directory scratch_;
};

} // namespace

TEST_CASE("an interrupt cancels the request and stops the server", "[tool]") {
  auto signal = GENERATE(SIGINT, SIGTERM, SIGHUP);
  recorded_server server;
  tool_run run{server.command({"call", "slow", "ms:=60000", "--json"})};
  REQUIRE(server.gets("tools/call"));
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

TEST_CASE("an interrupt cancels a task that is followed", "[tool]") {
  recorded_server server{script_command("task-endless")};
  tool_run run{server.command({"call", "t"})};
  REQUIRE(server.gets("tasks/get"));
  run.signal(SIGINT);
  auto result = run.finish();
  CHECK(result.status == 130);
  CHECK_THAT(server.input(), ContainsSubstring("tasks/cancel"));
  CHECK_FALSE(tests::group_runs(server.pid()));
}

TEST_CASE("a task that the server cancels is no interrupt", "[tool]") {
  auto words = script_command("task-cancelled");
  words.insert(words.begin(), {"call", "t", "--json", "--"});
  auto result = run_tool(words);
  CHECK(result.status == 4);
  auto error = tests::only_json(result.out).at("error").as_object();
  CHECK(error.at("origin") == "local");
  CHECK(error.at("name") == "task_cancelled");
  CHECK(error.at("data").at("statusMessage") == "an operator did");
}

TEST_CASE("an interrupt ends what was listened to", "[tool][listen]") {
  auto [era, what, start, end]
    = GENERATE(table<std::string, std::string, std::string, std::string>(
      {{"modern", "--tools", "subscriptions/listen", "notifications/cancelled"},
       {"legacy", "--uri=demo://greeting", "resources/subscribe",
        "resources/unsubscribe"}}));
  recorded_server server{{binary("demo-server"), "--era", era}};
  tool_run run{server.command({"listen", what})};
  run.wait_for_output("accepted");
  REQUIRE(server.gets(start));
  run.signal(SIGINT);
  CHECK(run.finish().status == 130);
  CHECK_THAT(server.input(), ContainsSubstring(end));
  CHECK_FALSE(tests::group_runs(server.pid()));
}

TEST_CASE("an interrupt ends a dialog, and the call that needs it", "[tool]") {
  auto era = GENERATE(as<std::string>{}, "legacy", "modern");
  recorded_server server{{binary("demo-server"), "--era", era}};
  tool_run::setup how;
  how.screen = tool_screen::terminal;
  how.has_keyboard = true;
  tool_run run{server.command({"call", "ask"}), how};
  run.wait_for_output("Name (string): ");
  run.signal(SIGINT);
  auto result = run.finish();
  CHECK(result.status == 130);
  CHECK_THAT(result.out, ContainsSubstring("Name (string): \r\ncaf-mcp: "
                                           "cancelled: interrupted\r\n"));
  // A modern server has answered: it waits for nothing.
  CHECK((server.input().find("notifications/cancelled") != std::string::npos)
        == (era == "legacy"));
  CHECK_FALSE(tests::group_runs(server.pid()));
}

TEST_CASE("an interrupt ends the wait for a server that is never ready",
          "[tool]") {
  scratch_directory scratch;
  tool_run run{{"tools", "--", "sh", "-c", R"(echo $$ >"$1"; exec "$0")",
                binary("test-never-answer"), scratch.path() + "/pid"}};
  REQUIRE(wait_until(
    [&] { return file_content(scratch.path() + "/pid").ends_with('\n'); }));
  run.signal(SIGINT);
  auto result = run.finish();
  CHECK(result.status == 130);
  CHECK(result.out.empty());
  CHECK_FALSE(tests::exists(std::stoll(file_content(scratch.path() + "/pid"))));
}

TEST_CASE("a second interrupt ends the tool at once", "[tool]") {
  // It does not answer, nor leave by itself.
  recorded_server server{{binary("test-stop-reading")}};
  tool_run run{
    server.command({"call", "slow", "ms:=60000", "--no-list", "--stdin-grace",
                    "50000", "--term-grace", "50000"})};
  REQUIRE(server.gets("tools/call"));
  run.signal(SIGINT);
  REQUIRE(server.gets("notifications/cancelled"));
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
  CHECK_THAT(shown.out,
             ContainsSubstring("[##########          ] 2/4 50% step 2 of 4"));
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
