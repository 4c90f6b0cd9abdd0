// Ten servers of ten authors from the npm registry, most of them on the
// official SDK, from its version 0.5 on, in each mode. All are legacy servers
// and need neither an account nor a network.
#include "tests/support/paths.hpp"
#include "tests/support/scratch_directory.hpp"
#include "tests/support/tool.hpp"

#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>

using tests::only_json;
using tests::run_tool;
using tests::scratch_directory;

namespace {

constexpr std::size_t servers_count = 10;

/// Returns a configuration with all of them, to be asked in this mode.
std::string ten_of_npm(const scratch_directory& directory,
                       std::string_view mode) {
  const auto path = directory.path();
  const auto schema
    = directory.write("schema.graphql", "type Query { answer: Int }\n");
  boost::json::object all;
  auto add = [&](std::string_view binary, boost::json::array args = {}) {
    all[binary] = {{"command", tests::npm_binary(binary)},
                   {"args", std::move(args)},
                   {"mode", mode},
                   {"max_restarts", 0},
                   {"env",
                    {{"PATH", tests::node_directory() + ":/usr/bin:/bin"},
                     {"HOME", path},
                     {"MEMORY_BANK_ROOT", path},
                     {"TASK_MANAGER_FILE_PATH", path + "/tasks.json"}}}};
  };
  add("drawio-mcp");
  add("mcp-git");
  add("mcp-graphql-schema", {schema});
  add("mcp-knowledge-graph", {"--memory-path", path + "/memory.jsonl"});
  add("mcp-obsidian", {path});
  add("mcp-sequentialthinking-tools");
  add("mcp-server-commands");
  add("mcp-server-memory-bank");
  add("mcp-taskmanager");
  add("time-mcp");
  return directory.write("mcp.json", boost::json::serialize(boost::json::value{
                                       {"mcpServers", std::move(all)}}));
}

/// Returns how many tools of the list each server has.
std::map<std::string, std::size_t>
count_tools(const boost::json::object& from) {
  std::map<std::string, std::size_t> result;
  for (const auto& [name, about] : from.at("servers").as_object())
    result[std::string{name}] = 0;
  for (const auto& tool : from.at("tools").as_array()) {
    const std::string name{tool.at("name").as_string()}; // server/tool
    ++result[name.substr(0, name.find('/'))];
  }
  return result;
}

} // namespace

TEST_CASE("ten more servers of the npm registry list their tools, probed or "
          "not",
          "[npm][tree]") {
  const auto* mode = GENERATE("auto", "legacy");
  CAPTURE(mode);
  scratch_directory directory;
  const auto result
    = run_tool({"--config", ten_of_npm(directory, mode), "tools", "--json"});
  CHECK(result.status == 0);
  const auto counts = count_tools(only_json(result.out));
  CHECK(counts.size() == servers_count);
  for (const auto& [name, count] : counts) {
    INFO(name);
    CHECK(count > 0);
  }
}

TEST_CASE("a legacy server that is to be modern fails with its own words",
          "[npm][tree]") {
  scratch_directory directory;
  const auto result = run_tool(
    {"--config", ten_of_npm(directory, "modern"), "status", "--json"});
  const auto document = only_json(result.out);
  const auto& servers = document.at("servers").as_array();
  CHECK(servers.size() == servers_count);
  for (const auto& each : servers) {
    INFO(each.at("name").as_string());
    CHECK(each.at("state") == "failed");
    const auto& error = each.at("error");
    CHECK(error.at("name") == "handshake_failed");
    CHECK(error.at("message").as_string().find("server/discover was answered")
          != std::string::npos);
  }
}
