// The examples that the documents show, run.
#include "tests/support/paths.hpp"

#include <catch2/catch_test_macros.hpp>

#include <array>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

using tests::binary;

namespace {

/// Runs an example with the demo server; returns its stdout.
std::string run_example(std::string_view name) {
  auto line = "'" + binary(name) + "' '" + binary("demo-server") + "'";
  auto* out = ::popen(line.c_str(), "re");
  REQUIRE(out != nullptr);
  std::string result;
  std::array<char, 4096> part{};
  while (auto bytes = std::fread(part.data(), 1, part.size(), out))
    result.append(part.data(), bytes);
  CHECK(::pclose(out) == 0);
  return result;
}

std::string read_file(const std::string& path) {
  std::ifstream file{path};
  REQUIRE(file);
  return {std::istreambuf_iterator<char>{file}, {}};
}

} // namespace

TEST_CASE("the example that listens hears of a change and of the end",
          "[listen][documents]") {
  CHECK(run_example("example-listen-to-a-server")
        == "accepted\n"
           "tools_changed \n"
           "closed: the connection was closed\n");
}

TEST_CASE("docs/subscriptions.md shows the example that is compiled",
          "[documents]") {
  auto text = read_file(tests::test_file("../docs/subscriptions.md"));
  auto example
    = read_file(tests::test_file("../apps/examples/listen_to_a_server.cpp"));
  CHECK(text.find("```cpp\n" + example + "```") != std::string::npos);
}
