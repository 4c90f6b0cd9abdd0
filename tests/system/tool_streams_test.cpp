#include "tests/support/paths.hpp"
#include "tests/support/scratch_directory.hpp"
#include "tests/support/tool.hpp"
#include "tests/support/wait_until.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <csignal>
#include <fcntl.h>
#include <string>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

// What becomes of the tool when its reader leaves, its disk is full, or it is
// interrupted before it has begun.

using Catch::Matchers::ContainsSubstring;
using tests::binary;
using tests::only_json;
using tests::run_tool;
using tests::scratch_directory;
using tests::tool_run;
using tests::tool_screen;

namespace {

std::string streams_config(const scratch_directory& scratch,
                           const std::string& command) {
  return scratch.write("mcp.json", R"({"mcpServers": {"demo": {"command": ")"
                                     + command
                                     + R"(", "restart": "temporary"}}})");
}

/// Commands that go on until they are interrupted, and what they print first.
std::vector<std::vector<std::string>>
endless_commands(const std::string& config) {
  return {
    {"listen", "--", binary("demo-server")},
    {"--config", config, "status", "--watch"},
    {"--config", config, "serve", "--listen", "127.0.0.1:0"},
  };
}

} // namespace

TEST_CASE("what goes on until interrupted ends after its reader has left",
          "[tool][streams]") {
  const scratch_directory scratch;
  const auto config = streams_config(scratch, binary("demo-server"));
  for (const auto& words : endless_commands(config)) {
    CAPTURE(words);
    tool_run run{words};
    run.wait_for_output("\n");
    run.close_stdout();
    const auto result = run.finish();
    CHECK(result.status == 0);
    CHECK(result.elapsed < std::chrono::seconds{20});
  }
}

TEST_CASE("a command that prints nothing ends after its reader has left",
          "[tool][streams]") {
  tool_run run{{"logs", "--level", "emergency", "--", binary("demo-server")}};
  run.close_stdout();
  CHECK(run.finish().status == 0);
}

TEST_CASE("no command ends well on a full disk", "[tool][streams]") {
  const scratch_directory scratch;
  const auto config = streams_config(scratch, binary("demo-server"));
  tool_run::setup full;
  full.screen = tool_screen::full_device;
  auto all = endless_commands(config);
  for (const auto* command : {"info", "ping", "tools", "prompts"})
    all.push_back({command, "--", binary("demo-server")});
  all.push_back({"call", "echo", "message=x", "--", binary("demo-server")});
  all.push_back({"--config", config, "status"});
  all.push_back({"--config", config, "tools"});
  all.push_back({"--version"});
  all.push_back({"--help"});
  for (const auto& words : all) {
    CAPTURE(words);
    const auto result = run_tool(words, full);
    CHECK(result.status == 3);
    CHECK_THAT(result.err, ContainsSubstring("cannot write to stdout"));
  }
}

TEST_CASE("the tool is interrupted while it reads its configuration",
          "[tool][streams]") {
  const scratch_directory scratch;
  const auto fifo = scratch.path() + "/config";
  REQUIRE(::mkfifo(fifo.c_str(), 0600) == 0);
  for (auto signal : {SIGTERM, SIGINT, SIGHUP}) {
    CAPTURE(signal);
    tool_run run{{"--config", fifo, "--server", "x", "info"}};
    auto writer = -1;
    // Fails until somebody reads.
    REQUIRE(tests::wait_until([&] {
      writer = ::open(fifo.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC);
      return writer >= 0;
    }));
    run.signal(signal);
    CHECK(run.finish().status == 130);
    ::close(writer);
  }
}

TEST_CASE("lists and status end with 3 when no server could be started",
          "[tool][tree]") {
  const scratch_directory scratch;
  const auto config = streams_config(scratch, "/nonexistent-server");
  for (const auto* command :
       {"tools", "resources", "templates", "prompts", "status"}) {
    CAPTURE(command);
    auto result = run_tool({"--config", config, "--json", command});
    CHECK(result.status == 3);
    CHECK(only_json(result.out).contains("servers"));
  }
}
