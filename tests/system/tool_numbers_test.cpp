// What a server sends leaves the tool with the digits it came with.
#include "tests/support/player.hpp"
#include "tests/support/scratch_directory.hpp"
#include "tests/support/tool.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <string>
#include <vector>

using Catch::Matchers::ContainsSubstring;
using tests::run_tool;

namespace {

constexpr auto numbers = R"({"n":123456789012345678901234567890,)"
                         R"("f":0.1000000000000000055511151231257827})";

std::vector<std::string> server() {
  return tests::script_command("long-numbers");
}

} // namespace

TEST_CASE("every command prints the server's own numbers", "[tool]") {
  auto words = GENERATE(
    values<std::vector<std::string>>({{"info"},
                                      {"tools"},
                                      {"prompts"},
                                      {"resources"},
                                      {"call", "t"},
                                      {"read", "a:b"},
                                      {"prompt", "p"},
                                      {"complete", "prompt", "p", "a=v"},
                                      {"request", "test/refused"},
                                      {"logs", "--count", "1"}}));
  CAPTURE(words);
  words.insert(words.begin(), {"--mode", "legacy", "--json"});
  words.emplace_back("--");
  for (auto& each : server())
    words.push_back(each);
  auto result = run_tool(words);
  CAPTURE(result.err);
  CHECK_THAT(result.out, ContainsSubstring(numbers));
}

TEST_CASE("lists of all servers print the servers' own numbers", "[tool]") {
  auto kind = GENERATE(as<std::string>{}, "tools", "prompts", "resources");
  tests::scratch_directory directory;
  const auto command = server();
  auto config = directory.write(
    "mcp.json", R"({"mcpServers":{"a":{"mode":"legacy","command":"python3",)"
                R"("args":[")"
                  + command[1] + R"(",")" + command[2] + R"("]}}})");
  auto result = run_tool({"--config", config, kind, "--json"});
  CAPTURE(result.err);
  CHECK_THAT(result.out, ContainsSubstring(numbers));
}
