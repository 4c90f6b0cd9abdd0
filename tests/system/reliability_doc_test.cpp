#include "tests/support/paths.hpp"

#include <catch2/catch_test_macros.hpp>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <string>

namespace {

std::string document() {
  std::ifstream file{tests::test_file("../docs/reliability.md")};
  return {std::istreambuf_iterator<char>{file}, {}};
}

} // namespace

TEST_CASE("every test that docs/reliability.md names is there") {
  const auto text = document();
  const std::regex path{"`tests/([a-z_/]+\\.[a-z]+)`"};
  auto found = 0;
  for (std::sregex_iterator at{text.begin(), text.end(), path}, end; at != end;
       ++at, ++found) {
    INFO(at->str());
    CHECK(std::filesystem::exists(tests::test_file(at->str(1))));
  }
  CHECK(found > 0);
}
