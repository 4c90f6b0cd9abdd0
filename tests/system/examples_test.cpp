// The examples that the documents show, run.
#include "tests/support/paths.hpp"

#include <catch2/catch_test_macros.hpp>

#include <array>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>

namespace {

/// Runs an example against the demo server; returns its stdout.
std::string output_of(const std::string& example) {
  auto command = '"' + tests::binary(example) + "\" \""
                 + tests::binary("demo-server") + '"';
  std::unique_ptr<FILE, int (*)(FILE*)> pipe{::popen(command.c_str(), "r"),
                                             ::pclose};
  REQUIRE(pipe);
  std::string result;
  std::array<char, 4096> chunk{};
  while (auto count = std::fread(chunk.data(), 1, chunk.size(), pipe.get()))
    result.append(chunk.data(), count);
  return result;
}

std::string content_of(const std::string& path) {
  std::ifstream file{tests::test_file(path)};
  REQUIRE(file);
  return {std::istreambuf_iterator<char>{file}, {}};
}

} // namespace

TEST_CASE("the example of a handler answers the server") {
  auto out = output_of("example-answer-sampling");
  CHECK(out.find("I was asked: [{") != std::string::npos);
  CHECK(out.find("Say something.") != std::string::npos);
}

TEST_CASE("docs/handlers.md shows the example of a handler") {
  auto example = content_of("../apps/examples/answer_sampling.cpp");
  CHECK(content_of("../docs/handlers.md").find("```cpp\n" + example + "```")
        != std::string::npos);
}

TEST_CASE("the example that listens hears of a change and of the end",
          "[listen]") {
  CHECK(output_of("example-listen-to-a-server")
        == "accepted\n"
           "tools_changed \n"
           "closed: the connection was closed\n");
}

TEST_CASE("docs/subscriptions.md shows the example that listens") {
  auto example = content_of("../apps/examples/listen_to_a_server.cpp");
  CHECK(
    content_of("../docs/subscriptions.md").find("```cpp\n" + example + "```")
    != std::string::npos);
}
