#include "tests/support/paths.hpp"
#include "tests/support/scratch_directory.hpp"
#include "tests/support/tool.hpp"

#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <algorithm>
#include <csignal>
#include <map>

using Catch::Matchers::ContainsSubstring;
using tests::only_json;
using tests::run_tool;
using tests::scratch_directory;
using tests::tool_run;

namespace {

boost::json::object demo() {
  return {{"command", tests::binary("demo-server")}};
}

boost::json::object shell(std::string_view text) {
  return {{"command", "/bin/sh"},
          {"args", boost::json::array{"-c", text}},
          {"max_restarts", 1}};
}

std::string write_config(const scratch_directory& directory,
                         boost::json::object servers) {
  return directory.write("mcp.json", boost::json::serialize(boost::json::value{
                                       {"mcpServers", std::move(servers)}}));
}

/// Returns the servers of a status document by name.
std::map<std::string, boost::json::object>
servers_of(const boost::json::object& document) {
  std::map<std::string, boost::json::object> result;
  for (const auto& each : document.at("servers").as_array())
    result.emplace(each.at("name").as_string(), each.as_object());
  return result;
}

} // namespace

TEST_CASE("status shows which of many servers are ready, and why others failed",
          "[tool][tree]") {
  scratch_directory directory;
  boost::json::object servers;
  for (auto i = 0; i < 8; ++i)
    servers.emplace("good" + std::to_string(i), demo());
  servers.emplace("missing", boost::json::object{{"command", "no-such-command"},
                                                 {"restart", "temporary"}});
  servers.emplace("looping", shell("echo no luck >&2; exit 3"));
  servers.emplace("web", boost::json::object{{"url", "https://example.org"}});
  auto config = write_config(directory, std::move(servers));

  auto result = run_tool({"--config", config, "status", "--json"});
  CHECK(result.status == 0);
  auto all = servers_of(only_json(result.out));
  REQUIRE(all.size() == 11);
  for (auto i = 0; i < 8; ++i) {
    const auto& good = all.at("good" + std::to_string(i));
    CHECK(good.at("state") == "ready");
    CHECK(good.at("era") == "modern");
    CHECK(good.at("pid").as_int64() > 0);
    CHECK(good.at("error").is_null());
  }
  CHECK(all.at("missing").at("state") == "stopped");
  CHECK(all.at("missing").at("error").at("name") == "command_not_found");
  const auto& looping = all.at("looping");
  CHECK(looping.at("state") == "failed");
  CHECK(looping.at("restarts") == 1);
  CHECK(looping.at("error").at("data").at("stderr_tail") == "no luck\n");
  CHECK(all.at("web").at("state") == "unsupported");
}

TEST_CASE("status prints a table for people", "[tool][tree]") {
  scratch_directory directory;
  auto config = write_config(
    directory, {{"demo", demo()}, {"bad", shell("echo no luck >&2; exit 3")}});
  auto result = run_tool({"--config", config, "status"});
  CHECK(result.status == 0);
  CHECK_THAT(result.out, ContainsSubstring("NAME  STATE   ERA"));
  CHECK_THAT(result.out, ContainsSubstring("demo  ready   modern"));
  CHECK_THAT(result.out, ContainsSubstring("the server exited with status 3"));
  CHECK_THAT(result.out,
             ContainsSubstring("bad: last output on stderr\n    no luck\n"));
}

TEST_CASE("status is about one server if it is named", "[tool][tree]") {
  scratch_directory directory;
  auto config = write_config(directory, {{"a", demo()}, {"b", demo()}});
  auto result
    = run_tool({"--config", config, "--server", "b", "status", "--json"});
  auto all = servers_of(only_json(result.out));
  CHECK(all.size() == 1);
  CHECK(all.contains("b"));
  result = run_tool({"--config", config, "--server", "c", "status"});
  CHECK(result.status == 2);
  CHECK_THAT(result.err, ContainsSubstring(R"(known are "a", "b")"));
}

TEST_CASE("status watches until it is interrupted", "[tool][tree]") {
  scratch_directory directory;
  auto config = write_config(directory, {{"demo", demo()}});
  tool_run run{{"--config", config, "status", "--watch"}};
  run.wait_for_output("demo  starting");
  run.wait_for_output("demo  ready  modern");
  run.signal(SIGINT);
  CHECK(run.finish().status == 130);
}

TEST_CASE("status without a configuration is refused", "[tool][tree]") {
  auto result = run_tool({"status"});
  CHECK(result.status == 2);
  CHECK_THAT(result.err, ContainsSubstring("config: is missing"));
  result = run_tool({"status", "--", "demo-server"});
  CHECK(result.status == 2);
  CHECK_THAT(result.err, ContainsSubstring("config: is missing"));
}

TEST_CASE("a key of a hub that is wrong makes its server broken",
          "[tool][tree]") {
  scratch_directory directory;
  auto odd = demo();
  odd.emplace("restart", "sometimes");
  auto config = write_config(directory, {{"odd", odd}, {"demo", demo()}});
  auto result = run_tool({"--config", config, "status", "--json"});
  auto all = servers_of(only_json(result.out));
  CHECK(all.at("odd").at("state") == "broken");
  CHECK(all.at("odd").at("error").at("data").at("key") == "restart");
  CHECK(all.at("demo").at("state") == "ready");
}

TEST_CASE("tools lists those of all servers under qualified names",
          "[tool][tree]") {
  scratch_directory directory;
  auto config = write_config(
    directory, {{"a/b", demo()}, {"c", demo()}, {"bad", shell("exit 3")}});
  auto result = run_tool({"--config", config, "tools", "--json"});
  CHECK(result.status == 0);
  auto document = only_json(result.out);
  const auto& tools = document.at("tools").as_array();
  auto has = [&tools](std::string_view name) {
    return std::any_of(tools.begin(), tools.end(), [name](const auto& tool) {
      return tool.at("name").as_string() == name;
    });
  };
  CHECK(has("a%2Fb/echo"));
  CHECK(has("c/echo"));
  CHECK(document.at("servers").at("bad").at("stale") == true);
  CHECK_THAT(result.err, ContainsSubstring("warning: bad is "));
}

TEST_CASE("a tool of a configuration is called by its qualified name",
          "[tool][tree]") {
  scratch_directory directory;
  auto config = write_config(directory, {{"a/b", demo()}, {"c", demo()}});
  auto result = run_tool(
    {"--config", config, "call", "a%2Fb/echo", "message=hi", "--json"});
  CHECK(result.status == 0);
  CHECK_THAT(result.out, ContainsSubstring("\"hi\""));
  result = run_tool({"--config", config, "read", "c/demo://greeting"});
  CHECK(result.status == 0);
  result = run_tool({"--config", config, "prompt", "c/greet", "name=Ada"});
  CHECK(result.status == 0);
  result = run_tool({"--config", config, "call", "d/echo", "message=hi"});
  CHECK(result.status == 2);
  CHECK_THAT(result.err, ContainsSubstring(R"(known are "a/b", "c")"));
}

TEST_CASE("a name without its server is refused where there are many",
          "[tool][tree]") {
  scratch_directory directory;
  auto config = write_config(directory, {{"demo", demo()}});
  auto result = run_tool({"--config", config, "call", "echo", "message=hi"});
  CHECK(result.status == 2);
  CHECK_THAT(result.err, ContainsSubstring("SERVER/TOOL"));
}
