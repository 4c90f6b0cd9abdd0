#include "caf_mcp/messages/config/option_descriptor.hpp"

#include "tests/support/paths.hpp"

#include <catch2/catch_test_macros.hpp>

#include <fstream>
#include <iterator>
#include <string>

namespace {

/// Returns the row of docs/configuration.md for an option.
std::string row(const caf_mcp::option_descriptor& option) {
  std::string result = "| `";
  result += option.key;
  result += "` | `" + option.default_value + "` | " + option.allowed + " | ";
  result += option.help;
  return result + " |";
}

} // namespace

TEST_CASE("the table of options in the documentation is that of the code") {
  std::ifstream file{tests::test_file("../docs/configuration.md")};
  std::string text{std::istreambuf_iterator<char>{file}, {}};
  std::string table;
  for (const auto& option : caf_mcp::option_descriptors())
    table += row(option) + '\n';
  INFO("docs/configuration.md must contain:\n" << table);
  CHECK(text.find(table) != std::string::npos);
}
