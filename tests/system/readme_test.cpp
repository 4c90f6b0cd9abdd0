#include "tests/support/paths.hpp"

#include <catch2/catch_test_macros.hpp>

#include <fstream>
#include <iterator>
#include <string>

namespace {

std::string read_file(const std::string& path) {
  std::ifstream file{path};
  REQUIRE(file);
  return {std::istreambuf_iterator<char>{file}, {}};
}

} // namespace

TEST_CASE("the code in the README is the example that is compiled") {
  auto readme = read_file(tests::test_file("../README.md"));
  auto example
    = read_file(tests::test_file("../apps/examples/call_a_tool.cpp"));
  CHECK(readme.find("```cpp\n" + example + "```") != std::string::npos);
}
