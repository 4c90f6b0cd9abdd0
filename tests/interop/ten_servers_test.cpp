// One configuration with ten servers, as they come: four of the protocol's own
// project, two on the official SDK, two demo servers, and two that fail.
#include "tests/support/paths.hpp"
#include "tests/support/scratch_directory.hpp"
#include "tests/support/tool.hpp"

#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>
#include <catch2/catch_test_macros.hpp>

#include <map>

using tests::only_json;
using tests::run_tool;
using tests::scratch_directory;

namespace {

boost::json::object entry(std::string command, boost::json::array args = {}) {
  return {{"command", std::move(command)},
          {"args", std::move(args)},
          {"env", {{"PATH", tests::node_directory() + ":/usr/bin:/bin"}}},
          {"max_restarts", 1}};
}

boost::json::object npm(std::string_view name, boost::json::array args = {}) {
  return entry(tests::npm_binary(name), std::move(args));
}

std::string ten_servers(const scratch_directory& directory) {
  const auto modern = tests::test_file("servers/modern-server.mjs");
  const auto demo = tests::binary("demo-server");
  auto memory = npm("mcp-server-memory");
  memory["env"].as_object()["MEMORY_FILE_PATH"]
    = directory.path() + "/memory.jsonl";
  return directory.write(
    "mcp.json",
    boost::json::serialize(boost::json::value{
      {"mcpServers",
       {{"everything", npm("mcp-server-everything", {"stdio"})},
        {"files", npm("mcp-server-filesystem", {directory.path()})},
        {"memory", memory},
        {"thinking", npm("mcp-server-sequential-thinking")},
        {"dual", entry("node", {modern})},
        {"modern", entry("node", {modern, "--modern"})},
        {"demo", entry(demo)},
        {"old", entry(demo, {"--era", "legacy"})},
        {"broken",
         {{"command", "node"},
          {"args", boost::json::array{"/no/such/server.mjs"}},
          {"env", {{"PATH", tests::node_directory() + ":/usr/bin:/bin"}}},
          {"max_restarts", 0}}},
        {"looping", entry("/bin/sh", {"-c", "echo no luck >&2; exit 3"})}}}}));
}

} // namespace

TEST_CASE("eight of ten real servers answer, and two say why they do not",
          "[npm][tree]") {
  scratch_directory directory;
  const auto config = ten_servers(directory);
  auto result = run_tool({"--config", config, "status", "--json"});
  CHECK(result.status == 0);
  auto document = only_json(result.out);
  std::map<std::string, boost::json::object> all;
  for (const auto& each : document.at("servers").as_array())
    all.emplace(each.at("name").as_string(), each.as_object());
  REQUIRE(all.size() == 10);
  for (const auto& [name, status] : all) {
    INFO(name);
    const auto fails = name == "broken" || name == "looping";
    CHECK(status.at("state") == (fails ? "failed" : "ready"));
  }
  const auto& broken = all.at("broken").at("error").at("data");
  CHECK(broken.at("reason") == "exit_status");
  CHECK(broken.at("stderr_tail").as_string().find("/no/such/server.mjs")
        != std::string::npos);
  CHECK(all.at("broken").at("restarts") == 0);
  const auto& looping = all.at("looping");
  CHECK(looping.at("restarts") == 1);
  CHECK(looping.at("error").at("data").at("stderr_tail") == "no luck\n");

  result = run_tool({"--config", config, "tools", "--json"});
  CHECK(result.status == 0);
  document = only_json(result.out);
  for (const auto& [name, about] : document.at("servers").as_object()) {
    INFO(std::string_view{name});
    CHECK(about.at("stale") == (name == "broken" || name == "looping"));
  }
}
