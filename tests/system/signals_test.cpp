#include "tests/support/nodes.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/processes.hpp"
#include "tests/support/scratch_directory.hpp"
#include "tests/support/tool.hpp"
#include "tests/support/wait_until.hpp"

#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>

// What signals do to the tool, whatever it is at.

using Catch::Matchers::ContainsSubstring;
using tests::scratch_directory;
using tests::tool_run;

namespace {

/// A server that nothing but SIGKILL ends, and that gets it late.
boost::json::object stubborn_server() {
  return {{"command", "/bin/sh"},
          {"args",
           {"-c", "trap '' TERM INT HUP; \"$0\"; while :; do sleep 60; done",
            tests::binary("demo-server")}},
          {"stdin_grace", 50'000}};
}

std::string with_servers(boost::json::object servers) {
  return boost::json::serialize(
    boost::json::value{{"mcpServers", std::move(servers)}});
}

/// Returns the number behind `mark`.
std::int64_t number_after(std::string_view text, std::string_view mark) {
  const auto found = text.find(mark);
  REQUIRE(found != std::string_view::npos);
  return std::atoll(text.data() + found + mark.size());
}

bool ends(std::int64_t group) {
  return tests::wait_until([group] { return !tests::group_runs(group); });
}

/// A file that keeps who reads it waiting.
class endless_file {
public:
  explicit endless_file(std::string path) : path_{std::move(path)} {
    std::filesystem::remove(path_);
    REQUIRE(::mkfifo(path_.c_str(), 0600) == 0);
  }

  endless_file(const endless_file&) = delete;
  endless_file& operator=(const endless_file&) = delete;

  ~endless_file() {
    if (writer_ >= 0)
      ::close(writer_);
  }

  void wait_for_reader() {
    REQUIRE(tests::wait_until([this] {
      writer_ = ::open(path_.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC);
      return writer_ >= 0;
    }));
  }

private:
  std::string path_;
  int writer_ = -1;
};

} // namespace

TEST_CASE("a second interrupt kills the server of a command",
          "[tool][signals]") {
  const scratch_directory scratch;
  const auto config
    = scratch.write("mcp.json", with_servers({{"demo", stubborn_server()}}));
  tool_run run{{"--verbose", "--config", config, "--server", "demo", "listen"}};
  run.wait_for_output("accepted");
  run.signal(SIGINT);
  run.signal(SIGTERM);
  const auto result = run.finish();
  CHECK(result.status == 130);
  CHECK(ends(number_after(result.err, ", pid ")));
}

TEST_CASE("a second interrupt kills all servers of a configuration",
          "[tool][signals]") {
  const scratch_directory scratch;
  const auto config = scratch.write(
    "mcp.json",
    with_servers({{"a", stubborn_server()}, {"b", stubborn_server()}}));
  std::vector<std::int64_t> groups;
  std::optional<tool_run> run;
  SECTION("while a command runs") {
    run.emplace(std::vector<std::string>{"--config", config, "--json", "status",
                                         "--watch"});
    run->wait_for_output(R"({"name":"a","state":"ready")");
    run->wait_for_output(R"({"name":"b","state":"ready")");
    for (const auto* name : {"a", "b"}) {
      const auto from = run->shown().find(R"({"name":")" + std::string{name}
                                          + R"(","state":"ready")");
      groups.push_back(
        number_after(std::string_view{run->shown()}.substr(from), "\"pid\":"));
    }
  }
  SECTION("while it ends by itself") {
    run.emplace(
      std::vector<std::string>{"--config", config, "--json", "status"});
    run->wait_for_output("\n");
    const auto document = tests::only_json(run->shown());
    for (const auto& each : document.at("servers").as_array())
      groups.push_back(each.at("pid").as_int64());
  }
  REQUIRE(groups.size() == 2);
  run->signal(SIGINT);
  run->signal(SIGTERM);
  CHECK(run->finish().status == 130);
  for (auto group : groups)
    CHECK(ends(group));
}

TEST_CASE("a second SIGTERM kills the servers of a service, and is no failure",
          "[tool][nodes][signals]") {
  tests::serving_node node{
    {"127.0.0.1:0", with_servers({{"demo", stubborn_server()}})}};
  const auto address = to_string(node.address());
  std::int64_t group = 0;
  REQUIRE(tests::wait_until([&] {
    const auto status
      = tests::run_tool({"--node", address, "--json", "status"});
    const auto document = tests::only_json(status.out);
    const auto* pid = document.at("servers").at(0).at("pid").if_int64();
    group = pid != nullptr ? *pid : 0;
    return group > 0;
  }));
  node.run().signal(SIGTERM);
  node.run().signal(SIGINT);
  // Which of them is taken first is for the system to say.
  const auto status = node.run().finish().status;
  CHECK((status == 0 || status == 130));
  CHECK(ends(group));
}

TEST_CASE("a service that reads its configuration for the first time takes "
          "SIGHUP, and ends well on SIGTERM",
          "[tool][signals]") {
  const scratch_directory scratch;
  endless_file config{scratch.path() + "/mcp.json"};
  tool_run run{{"--config", scratch.path() + "/mcp.json", "serve", "--listen",
                "127.0.0.1:0"}};
  config.wait_for_reader();
  run.signal(SIGHUP);
  run.signal(SIGHUP);
  run.signal(SIGTERM);
  CHECK(run.finish().status == 0);
}

TEST_CASE("SIGHUP that comes before a service is ready is not forgotten",
          "[tool][signals]") {
  const scratch_directory scratch;
  const auto path = scratch.path() + "/mcp.json";
  std::optional<endless_file> config{std::in_place, path};
  tool_run run{
    {"--verbose", "--config", path, "serve", "--listen", "127.0.0.1:0"}};
  config->wait_for_reader();
  run.signal(SIGHUP);
  scratch.write("new.json", tests::demo_servers({}));
  // Opened first: what reads the pipe gets this text, and then its end.
  const auto writer = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  std::filesystem::rename(scratch.path() + "/new.json", path);
  const auto text = tests::demo_servers({});
  REQUIRE(::write(writer, text.data(), text.size())
          == static_cast<ssize_t>(text.size()));
  ::close(writer);
  config.reset();
  run.wait_for_error("the configuration was read anew");
  run.signal(SIGTERM);
  CHECK(run.finish().status == 0);
}

TEST_CASE("a service ends on SIGTERM while it reads its configuration anew",
          "[tool][signals]") {
  const scratch_directory scratch;
  const auto path = scratch.write("mcp.json", tests::demo_servers({"demo"}));
  tool_run run{
    {"--verbose", "--config", path, "serve", "--listen", "127.0.0.1:0"}};
  run.wait_for_output("listening");
  endless_file config{path};
  run.signal(SIGHUP);
  config.wait_for_reader();
  run.signal(SIGTERM);
  const auto result = run.finish();
  CHECK(result.status == 0);
  CHECK(result.elapsed < std::chrono::seconds{20});
  CHECK_THAT(result.err, !ContainsSubstring("configuration"));
}

TEST_CASE("a service says nothing of a reload that its end breaks off",
          "[tool][signals]") {
  const scratch_directory scratch;
  auto server = stubborn_server();
  server["stdin_grace"] = 1000;
  server["term_grace"] = 0;
  const auto path = scratch.write("mcp.json", with_servers({{"demo", server}}));
  for (auto i = 0; i < 3; ++i) {
    tool_run run{{"--config", path, "--log-format", "json", "serve", "--listen",
                  "127.0.0.1:0"}};
    run.wait_for_output("listening");
    scratch.write("mcp.json", i % 2 == 0 ? tests::demo_servers({})
                                         : with_servers({{"demo", server}}));
    run.signal(SIGHUP);
    run.signal(SIGTERM);
    const auto result = run.finish();
    CHECK(result.status == 0);
    CHECK(result.err.empty());
  }
}
