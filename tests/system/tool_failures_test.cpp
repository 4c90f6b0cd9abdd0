#include "tests/support/paths.hpp"
#include "tests/support/scratch_directory.hpp"
#include "tests/support/tool.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <algorithm>
#include <sys/stat.h>

using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::StartsWith;
using tests::binary;
using tests::only_json;
using tests::run_tool;
using tests::scratch_directory;
using tests::tool_result;

namespace {

/// Runs a command with `--json`; returns the error that it must print.
boost::json::object error_of(const tool_result& result) {
  auto document = only_json(result.out);
  REQUIRE(document.size() == 1);
  auto error = document.at("error").as_object();
  CHECK_THAT(
    result.err,
    StartsWith("caf-mcp: " + std::string{error.at("name").as_string()} + ": "));
  return error;
}

} // namespace

TEST_CASE("a command that does not exist fails at once", "[tool]") {
  auto result = run_tool({"tools", "--", "no-such-command"});
  CHECK(result.status == 3);
  CHECK(result.out.empty());
  CHECK_THAT(result.err, StartsWith("caf-mcp: command_not_found: "));
  CHECK_THAT(result.err, ContainsSubstring("no-such-command"));
  // Far below the 60 s of the handshake, which a client that waits would take.
  CHECK(result.elapsed < std::chrono::seconds{5});
}

TEST_CASE("arguments within the command are refused with a hint", "[tool]") {
  auto command = GENERATE(as<std::string>{}, "npx -y x", "npx -y @scope/x",
                          "./server --stdio");
  auto result = run_tool({"tools", "--json", "--", command});
  CHECK(result.status == 2);
  auto error = error_of(result);
  CHECK(error.at("name") == "config_invalid");
  CHECK(error.at("origin") == "local");
  CHECK(error.at("data").at("key") == "command");
  CHECK_THAT(result.err, StartsWith("caf-mcp: config_invalid: command: is \""
                                    + command + '"'));
  CHECK_THAT(result.err, ContainsSubstring("arguments go in args"));
}

TEST_CASE("a server that exits at once leaves its status and last words",
          "[tool]") {
  auto result = run_tool({"tools", "--json", "--", binary("test-exit-at-once"),
                          "3", "no \x1b[31mAPI\x1b[0m key\x07"});
  CHECK(result.status == 3);
  auto data = error_of(result).at("data").as_object();
  CHECK(data.at("reason") == "exit_status");
  CHECK(data.at("status") == 3);
  CHECK_THAT(std::string{data.at("stderr_tail").as_string()},
             ContainsSubstring("API"));
  CHECK_THAT(result.err, ContainsSubstring("\n  | no API key\\x07\n"));
}

TEST_CASE("a file that is no program is a failure to spawn", "[tool]") {
  scratch_directory scratch;
  auto file = scratch.write("server", "#!/no/such/interpreter\n");
  ::chmod(file.c_str(), 0755);
  auto result = run_tool({"info", "--json", "--", file});
  CHECK(result.status == 3);
  CHECK(error_of(result).at("name") == "spawn_failed");
}

TEST_CASE("a server that crashes during a call is a lost connection",
          "[tool]") {
  auto by_status = run_tool({"call", "crash", "status:=7", "stderr=last words",
                             "--json", "--", binary("demo-server")});
  CHECK(by_status.status == 3);
  auto error = error_of(by_status);
  CHECK(error.at("name") == "connection_closed");
  CHECK(error.at("data").at("reason") == "exit_status");
  CHECK(error.at("data").at("status") == 7);
  CHECK(error.at("data").at("outcome") == "unknown");
  CHECK_THAT(by_status.err, ContainsSubstring("  | last words\n"));
  auto by_signal = run_tool(
    {"call", "crash", "signal:=9", "--json", "--", binary("demo-server")});
  CHECK(by_signal.status == 3);
  CHECK(error_of(by_signal).at("data").at("reason") == "signal");
  CHECK(error_of(by_signal).at("data").at("signal") == 9);
}

TEST_CASE("an error that the server sends is the peer's", "[tool]") {
  auto result = run_tool({"read", "demo://nothing", "--json", "--mode",
                          "legacy", "--", binary("demo-server")});
  CHECK(result.status == 4);
  auto error = error_of(result);
  CHECK(error.at("origin") == "peer");
  CHECK(error.at("name") == "rpc_error");
  CHECK(error.at("code") == -32002);
  CHECK(error.at("data").at("uri") == "demo://nothing");
}

TEST_CASE("an answer that does not come is a timeout", "[tool]") {
  auto result = run_tool({"call", "slow", "ms:=20000", "--timeout", "200",
                          "--json", "--", binary("demo-server")});
  CHECK(result.status == 5);
  auto error = error_of(result);
  CHECK(error.at("name") == "request_timeout");
  CHECK(error.at("code") == -32001);
  CHECK(result.elapsed >= std::chrono::milliseconds{200});
  CHECK(result.elapsed < std::chrono::seconds{10});
}

TEST_CASE("the timeout holds for a server that is never ready, too", "[tool]") {
  auto result = run_tool(
    {"info", "--timeout=200", "--json", "--", binary("test-never-answer")});
  CHECK(result.status == 5);
  CHECK(error_of(result).at("name") == "request_timeout");
  CHECK(result.elapsed < std::chrono::seconds{10});
}

TEST_CASE("a timeout that was not needed is not waited for", "[tool]") {
  auto result
    = run_tool({"ping", "--timeout=50000", "--", binary("demo-server")});
  CHECK(result.status == 0);
  CHECK(result.elapsed < std::chrono::seconds{30});
}

TEST_CASE("a handshake that takes too long is a failed handshake", "[tool]") {
  auto result
    = run_tool({"info", "--handshake-timeout", "300", "--probe-timeout", "100",
                "--json", "--", binary("test-never-answer")});
  CHECK(result.status == 3);
  CHECK(error_of(result).at("name") == "handshake_failed");
}

TEST_CASE("a server without a common version is refused", "[tool]") {
  auto result = run_tool({"info", "--json", "--mode", "modern", "--",
                          binary("demo-server"), "--era", "legacy"});
  CHECK(result.status == 3);
  auto name = std::string{error_of(result).at("name").as_string()};
  CHECK((name == "unsupported_protocol_version" || name == "handshake_failed"));
}

TEST_CASE("a server that prints junk is told so", "[tool]") {
  auto result = run_tool({"tools", "--json", "--max-junk-lines", "2", "--",
                          binary("test-junk-lines"), "3"});
  CHECK(result.status == 3);
  CHECK(error_of(result).at("data").at("reason") == "junk_output");
  CHECK(error_of(result).at("data").at("limit") == 2);
}

TEST_CASE("an answer longer than the limit closes the connection", "[tool]") {
  auto result = run_tool({"call", "t", "--json", "--max-message-bytes", "1000",
                          "--", binary("test-huge-line"), "5000"});
  CHECK(result.status == 3);
  auto data = error_of(result).at("data").as_object();
  CHECK(data.at("reason") == "message_too_large");
  CHECK(data.at("limit") == 1000);
}

TEST_CASE("stdout that is closed early does no harm", "[tool]") {
  tests::tool_run run{
    {"call", "big", "bytes:=4000000", "--", binary("demo-server")}};
  run.close_stdout();
  auto result = run.finish();
  CHECK(result.status == 0);
  CHECK(result.err.empty());
}

TEST_CASE("stdout that takes nothing is reported", "[tool]") {
  tests::tool_run::setup how;
  how.screen = tests::tool_screen::full_device;
  auto result = run_tool({"tools", "--", binary("demo-server")}, how);
  CHECK(result.status == 3);
  CHECK_THAT(result.err,
             StartsWith("caf-mcp: cannot write to stdout: No space left"));
}
