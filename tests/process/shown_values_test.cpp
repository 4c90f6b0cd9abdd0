#include "caf_mcp/actors/port/server_plan.hpp"
#include "caf_mcp/messages/config/server_config.hpp"

#include "tests/support/scratch_directory.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>

// What errors at the start of a server show of values that were expanded from
// variables: what the configuration file has in their place.

using namespace caf_mcp;
using Catch::Matchers::ContainsSubstring;

namespace {

/// Reads the one server of a configuration, with these variables.
server_options read_server(const std::string& entry,
                           std::map<std::string, std::string> variables) {
  const auto config = parse_server_config(
    R"({"mcpServers": {"x": )" + entry + "}}",
    [&variables](std::string_view name) -> std::optional<std::string> {
      const auto found = variables.find(std::string{name});
      return found != variables.end() ? std::optional{found->second}
                                      : std::nullopt;
    });
  REQUIRE(config);
  const auto options = find_server(*config, "x");
  REQUIRE(options);
  return *options;
}

/// Returns why the server cannot be started.
std::string failure_of(const server_options& options) {
  auto plan = plan_start(options);
  if (const auto* reason = std::get_if<close_reason>(&plan))
    return to_sentence(*reason);
  auto spawned = spawn_child(std::get<spawn_plan>(plan));
  REQUIRE(std::holds_alternative<close_reason>(spawned));
  return to_sentence(std::get<close_reason>(spawned));
}

} // namespace

TEST_CASE("no failure to start shows what a variable held", "[process]") {
  const tests::scratch_directory scratch;
  const auto plain = scratch.write("hunter2", "text");
  const auto script = scratch.write("odd", "#!/no/such/interpreter\n");
  std::filesystem::permissions(script, std::filesystem::perms::owner_all);
  const auto gone = scratch.path() + "/hunter2-gone";
  const std::map<std::string, std::string> variables{
    {"MISSING", "/hunter2/server"},
    {"NAME", "hunter2"},
    {"DIR", scratch.path()},
    {"PLAIN", plain},
    {"SCRIPT", script},
    {"GONE", gone},
    {"LOG", "/hunter2/log"}};
  const auto failure = [&](const std::string& entry) {
    std::filesystem::create_directory(gone);
    const auto options = read_server(entry, variables);
    std::filesystem::remove(gone);
    auto text = failure_of(options);
    CHECK_THAT(text, !ContainsSubstring("hunter2"));
    CHECK_THAT(text, !ContainsSubstring(scratch.path()));
    return text;
  };
  CHECK_THAT(failure(R"({"command": "${MISSING}"})"),
             ContainsSubstring("${MISSING}: No such file"));
  CHECK_THAT(failure(R"({"command": "${PLAIN}"})"),
             ContainsSubstring("${PLAIN}: Permission denied"));
  CHECK_THAT(failure(R"({"command": "${SCRIPT}"})"),
             ContainsSubstring("${SCRIPT}: bad interpreter"));
  CHECK_THAT(
    failure(R"({"command": "${NAME}-server", "env": {"PATH": "${DIR}"}})"),
    ContainsSubstring("no executable \"${NAME}-server\" in PATH (${DIR})"));
  CHECK_THAT(failure(R"({"command": "${NAME}", "env": {"PATH": "${DIR}"}})"),
             ContainsSubstring("${NAME} in PATH: Permission denied"));
  CHECK_THAT(failure(R"({"command": "odd", "env": {"PATH": "${DIR}"}})"),
             ContainsSubstring("odd in PATH: bad interpreter"));
  CHECK_THAT(failure(R"({"command": "sh", "cd": "${GONE}"})"),
             ContainsSubstring("cd: ${GONE}: "));
  CHECK_THAT(failure(R"({"command": "sh", "stderr": {"file": "${LOG}"}})"),
             ContainsSubstring("stderr: ${LOG}: "));
}

TEST_CASE("a secret PATH is not shown where it lacks the command",
          "[process]") {
  server_options options;
  options.command = "no-such-command";
  options.env["PATH"] = secret{"/hunter2"};
  const auto text = failure_of(options);
  CHECK_THAT(text, !ContainsSubstring("hunter2"));
  CHECK_THAT(text, ContainsSubstring("<secret>"));
}

TEST_CASE("a value that replaces an expanded one is shown as it is",
          "[process]") {
  auto options = read_server(R"({"command": "${MISSING}"})",
                             {{"MISSING", "/hunter2/server"}});
  options.command = "/no/such/server";
  CHECK_THAT(failure_of(options), ContainsSubstring("/no/such/server: No"));
}
