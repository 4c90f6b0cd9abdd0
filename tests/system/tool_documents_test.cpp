#include "caf_mcp/messages/errc.hpp"

#include "apps/caf-mcp/exit_status.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/tool.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <fstream>
#include <iterator>
#include <sstream>

using Catch::Matchers::ContainsSubstring;
using tests::run_tool;

namespace {

std::string document(std::string_view name) {
  std::ifstream file{tests::test_file("../docs/") + std::string{name}};
  REQUIRE(file);
  return {std::istreambuf_iterator<char>{file}, {}};
}

/// Returns the names under `Commands:` in the help of the tool.
std::vector<std::string> command_names(const std::string& help) {
  std::istringstream lines{help.substr(help.find("Commands:\n"))};
  std::vector<std::string> result;
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line) && !line.empty()) {
    std::istringstream words{line};
    words >> result.emplace_back();
  }
  return result;
}

} // namespace

TEST_CASE("docs/cli.md holds the help of the tool and of each command",
          "[tool][documents]") {
  auto text = document("cli.md");
  auto help = run_tool({"--help"}).out;
  CHECK_THAT(text, ContainsSubstring("\n```\n" + help + "```\n"));
  auto names = command_names(help);
  REQUIRE(names.size() == 17);
  for (const auto& name : names) {
    auto own_help = run_tool({name, "--help"}).out;
    CHECK_THAT(text, ContainsSubstring("\n```\n" + own_help + "```\n"));
  }
}

TEST_CASE("docs/errors.md has a line for each error, with its exit status",
          "[tool][documents]") {
  auto text = document("errors.md");
  auto known = 0;
  for (auto value = 0; value < 256; ++value) {
    auto code = static_cast<caf_mcp::errc>(value);
    auto name = std::string{to_string(code)};
    if (name.empty())
      continue;
    ++known;
    auto status = static_cast<int>(caf_mcp::tool::exit_status_of(code));
    CHECK_THAT(text,
               ContainsSubstring("\n| `" + name + "` | "
                                 + std::to_string(json_rpc_code(code)) + " | "
                                 + std::to_string(status) + " | "));
  }
  auto lines = 0;
  for (auto at = text.find("\n| `"); at != std::string::npos;
       at = text.find("\n| `", at + 1))
    ++lines;
  CHECK(lines == known);
}
