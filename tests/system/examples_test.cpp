// The examples that the documents show, run.
#include "tests/support/paths.hpp"
#include "tests/support/scratch_directory.hpp"

#include <catch2/catch_test_macros.hpp>

#include <array>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>

namespace {

/// Runs a command of the shell; returns its stdout.
std::string output_of_command(const std::string& command) {
  std::unique_ptr<FILE, int (*)(FILE*)> pipe{::popen(command.c_str(), "r"),
                                             ::pclose};
  REQUIRE(pipe);
  std::string result;
  std::array<char, 4096> chunk{};
  while (auto count = std::fread(chunk.data(), 1, chunk.size(), pipe.get()))
    result.append(chunk.data(), count);
  return result;
}

std::string in_quotes(const std::string& word) {
  return '"' + word + '"';
}

/// Runs an example against the demo server; returns its stdout.
std::string output_of(const std::string& example) {
  return output_of_command(in_quotes(tests::binary(example)) + ' '
                           + in_quotes(tests::binary("demo-server")));
}

/// Writes a configuration with the demo server under the name `demo`.
std::string write_config(const tests::scratch_directory& directory) {
  return directory.write("mcp.json", R"({"mcpServers": {"demo": {"command": ")"
                                       + tests::binary("demo-server")
                                       + R"("}}})");
}

std::string content_of(const std::string& path) {
  std::ifstream file{tests::test_file(path)};
  REQUIRE(file);
  return {std::istreambuf_iterator<char>{file}, {}};
}

} // namespace

TEST_CASE("the example of a caller calls a server from an actor") {
  CHECK(output_of("example-from-an-actor").find("hello") != std::string::npos);
}

TEST_CASE("the example of a handler answers the server") {
  auto out = output_of("example-answer-sampling");
  CHECK(out.find("I was asked: [{") != std::string::npos);
  CHECK(out.find("Say something.") != std::string::npos);
}

TEST_CASE("the example of many requests gets all answers") {
  CHECK(output_of("example-many-requests") == "500500\n");
}

TEST_CASE("the example of a daemon calls a server of its configuration") {
  tests::scratch_directory directory;
  auto out
    = output_of_command(in_quotes(tests::binary("example-tree-in-a-daemon"))
                        + ' ' + in_quotes(write_config(directory)));
  CHECK(out.find("42") != std::string::npos);
}

TEST_CASE("the example of a watched catalogue lists the tools of its servers") {
  tests::scratch_directory directory;
  // It ends with its stdin, which a named pipe keeps open meanwhile.
  const auto pipe = in_quotes(directory.path() + "/stdin");
  const auto shown = in_quotes(directory.path() + "/stdout");
  const auto out = output_of_command(
    "mkfifo " + pipe + " && { "
    + in_quotes(tests::binary("example-watch-a-catalogue")) + ' '
    + in_quotes(write_config(directory)) + " < " + pipe + " > " + shown
    + " & } && exec 3> " + pipe + " && while ! grep -q demo/echo " + shown
    + "; do sleep 0.05; done; exec 3>&-; wait; cat " + shown);
  CHECK(out.find("  demo/echo\n") != std::string::npos);
}

TEST_CASE("the code in docs/hub.md that watches is the example") {
  const auto document = content_of("../docs/hub.md");
  const auto example = content_of("../apps/examples/watch_a_catalogue.cpp");
  const auto begin = document.find("struct tool_list {");
  REQUIRE(begin != std::string::npos);
  const auto code = document.substr(begin, document.find("```", begin) - begin);
  CHECK(example.find(code) != std::string::npos);
}

TEST_CASE("the example of two nodes calls a server of the other one") {
  tests::scratch_directory directory;
  auto program = in_quotes(tests::binary("example-two-nodes"));
  // The node ends with its stdin, which a named pipe keeps open meanwhile.
  auto pipe = in_quotes(directory.path() + "/stdin");
  auto port = in_quotes(directory.path() + "/port");
  auto out = output_of_command(
    "mkfifo " + pipe + " && { " + program + " serve "
    + in_quotes(write_config(directory)) + " < " + pipe + " > " + port
    + " & } && exec 3> " + pipe + " && while ! [ -s " + port
    + " ]; do sleep 0.05; done; " + program + " call $(cat " + port
    + ") demo; exec 3>&-; wait");
  CHECK(out.find("42") != std::string::npos);
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
