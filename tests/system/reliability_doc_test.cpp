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

TEST_CASE("every case is in the table of docs/reliability.md") {
  const auto text = document();
  const auto table = text.substr(text.find("| kind | cases | tests |"));
  const std::regex case_name{"B[0-9]+"};
  for (const auto& entry :
       std::filesystem::directory_iterator{tests::test_file("cases")}) {
    const auto name = entry.path().stem().string();
    INFO(name);
    if (std::regex_match(name, case_name))
      CHECK(std::regex_search(table, std::regex{"\\b" + name + "\\b"}));
  }
}
