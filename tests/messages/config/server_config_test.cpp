#include "caf_mcp/messages/config/server_config.hpp"

#include "tests/support/error_text.hpp"
#include "tests/support/scratch_directory.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

using namespace caf_mcp;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::StartsWith;
using tests::scratch_directory;
using tests::text_of;

namespace {

std::optional<std::string> lookup(std::string_view name) {
  if (name == "TOKEN")
    return "hunter2";
  if (name == "TMP")
    return "/tmp";
  return std::nullopt;
}

caf::expected<server_config> parse(std::string_view text) {
  return parse_server_config(text, lookup, "mcp.json");
}

server_config parse_good(std::string_view text) {
  auto config = parse(text);
  REQUIRE(config);
  return std::move(*config);
}

std::string error_of(std::string_view text) {
  auto config = parse(text);
  return config ? "ok" : text_of(config.error());
}

} // namespace

TEST_CASE("the format of desktop clients is read", "[server_config]") {
  auto config = parse_good(R"({
    "theme": "dark",
    "mcpServers": {
      "files": {"command": "npx", "args": ["-y", "server-files", "/srv"],
                "env": {"LANG": "C"}, "cwd": "/tmp", "request_timeout": 5},
      "memory": {"command": "mcp-server-memory"}
    }})");
  CHECK(config.warnings.empty());
  REQUIRE(config.servers.size() == 2);
  const auto& files = config.servers[0];
  CHECK(files.name == "files");
  CHECK(files.state == server_entry_state::usable);
  CHECK_FALSE(files.error);
  CHECK(files.options.command == "npx");
  CHECK(files.options.args.size() == 3);
  CHECK(files.options.env.at("LANG") == env_value{"C"});
  CHECK(files.options.cd == "/tmp");
  CHECK(files.options.request_timeout == std::chrono::milliseconds{5});
  CHECK(config.servers[1].name == "memory");
}

TEST_CASE("the form of VS Code is read, with comments and trailing commas",
          "[server_config]") {
  auto config = parse_good(R"({
    "inputs": [{"id": "key", "type": "promptString"}],
    "servers": {
      // local
      "one": {"type": "stdio", "command": "one", "args": ["a",],},
    },
  })");
  REQUIRE(config.servers.size() == 1);
  CHECK(config.servers[0].state == server_entry_state::usable);
  CHECK(config.warnings.empty());
}

TEST_CASE("values may name environment variables", "[server_config]") {
  auto config = parse_good(R"({"mcpServers": {"x": {
    "command": "${env:TMP}/run", "args": ["--key=${TOKEN}"], "cwd": "${TMP}",
    "env": {"KEY": "${TOKEN}", "OTHER": {"secret": "${TOKEN}"}},
    "stderr": {"file": "${TMP}/log"}, "description": "${whatever}"}}})");
  REQUIRE(config.servers.size() == 1);
  REQUIRE(text_of(config.servers[0].error) == "ok");
  const auto& options = config.servers[0].options;
  CHECK(options.command == "/tmp/run");
  CHECK(options.args.at(0) == "--key=hunter2");
  CHECK(options.cd == "/tmp");
  CHECK(options.env.at("KEY") == env_value{"hunter2"});
  CHECK(options.env.at("OTHER") == env_value{secret{"hunter2"}});
  CHECK(options.stderr_to.file == "/tmp/log");
}

TEST_CASE("a broken server does not harm the others", "[server_config]") {
  auto config = parse_good(R"({"mcpServers": {
    "range": {"command": "x", "max_message_bytes": 0},
    "variable": {"command": "x", "args": ["${NONE}"]},
    "words": {"command": "npx -y x"},
    "list": [],
    "good": {"command": "x"}}})");
  REQUIRE(config.servers.size() == 5);
  for (std::size_t i = 0; i < 4; ++i)
    CHECK(config.servers[i].state == server_entry_state::broken);
  CHECK(config.servers[4].state == server_entry_state::usable);
  CHECK(text_of(config.servers[0].error)
        == "config_invalid: mcp.json: server \"range\": max_message_bytes: is "
           "0; must be an integer from 1 to 2147483647, in bytes");
  CHECK(text_of(config.servers[1].error)
        == "config_invalid: mcp.json: server \"variable\": args: ${NONE}: the "
           "environment variable NONE is not set");
  CHECK_THAT(text_of(config.servers[2].error),
             ContainsSubstring("arguments go in args"));
  CHECK_THAT(text_of(config.servers[3].error),
             ContainsSubstring("must be an object"));
}

TEST_CASE("the error of a server holds file, server and key as data",
          "[server_config]") {
  auto config = parse_good(R"({"mcpServers": {"x": {"command": ""}}})");
  auto info = describe(config.servers.at(0).error);
  CHECK(info.data.string_member("file") == "mcp.json");
  CHECK(info.data.string_member("server") == "x");
  CHECK(info.data.string_member("key") == "command");
}

TEST_CASE("servers behind a URL are unsupported", "[server_config]") {
  auto config = parse_good(R"({"servers": {
    "a": {"url": "https://example.org/mcp"},
    "b": {"type": "http", "url": "https://example.org/mcp"},
    "c": {"type": "sse", "command": "x"},
    "d": {"serverUrl": "https://example.org/mcp"},
    "e": {"command": "x"}}})");
  REQUIRE(config.servers.size() == 5);
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK(config.servers[i].state == server_entry_state::unsupported);
    CHECK_THAT(text_of(config.servers[i].error),
               ContainsSubstring("supported"));
  }
  CHECK(config.servers[4].state == server_entry_state::usable);
  CHECK(config.warnings.empty());
}

TEST_CASE("a disabled server stays in the list", "[server_config]") {
  auto config = parse_good(R"({"mcpServers": {
    "off": {"command": "x", "disabled": true},
    "also": {"command": "${NONE}", "enabled": false},
    "on": {"command": "x", "disabled": false}}})");
  REQUIRE(config.servers.size() == 3);
  CHECK(config.servers[0].state == server_entry_state::disabled);
  CHECK(config.servers[0].options.command == "x");
  CHECK(config.servers[1].state == server_entry_state::disabled);
  CHECK(config.servers[2].state == server_entry_state::usable);
}

TEST_CASE("a warning names file and server", "[server_config]") {
  auto config
    = parse_good(R"({"mcpServers": {"x": {"command": "x", "comand": "y"}}})");
  CHECK(config.warnings
        == std::vector<std::string>{
          "mcp.json: server \"x\": unknown key \"comand\" is ignored; the "
          "nearest known key is \"command\""});
}

TEST_CASE("what an entry does not mention is as in the defaults",
          "[server_config]") {
  server_options defaults;
  defaults.stderr_to.kind = stderr_kind::capture;
  defaults.stdin_grace = std::chrono::milliseconds{7};
  auto config = parse_server_config(
    R"({"mcpServers": {"a": {"command": "x", "stdin_grace": 8},
                       "b": {"command": "x", "stderr": "discard"}}})",
    lookup, "mcp.json", defaults);
  REQUIRE(config);
  const auto& a = config->servers.at(0).options;
  CHECK(a.stderr_to.kind == stderr_kind::capture);
  CHECK(a.stdin_grace == std::chrono::milliseconds{8});
  const auto& b = config->servers.at(1).options;
  CHECK(b.stderr_to.kind == stderr_kind::discard);
  CHECK(b.stdin_grace == std::chrono::milliseconds{7});
}

TEST_CASE("a text without servers is an error", "[server_config]") {
  for (auto text : {"[]", "{}", R"({"mcpServers": []})", R"({"servers": 1})"})
    CHECK_THAT(error_of(text), StartsWith("config_invalid: "));
  CHECK(error_of(R"({"mcpServers": {}})") == "ok");
  CHECK_THAT(error_of("{\"mcpServers\":\n x}"),
             StartsWith("config_invalid: mcp.json:2:2: "));
}

TEST_CASE("a server is found by its name", "[server_config]") {
  auto config = parse_good(R"({"mcpServers": {
    "a": {"command": "x"}, "off": {"command": "x", "disabled": true},
    "b": {"url": "https://example.org"}}})");
  auto found = find_server(config, "a");
  REQUIRE(found);
  CHECK(found->command == "x");

  auto missing = find_server(config, "c");
  REQUIRE_FALSE(missing);
  CHECK(text_of(missing.error())
        == "not_found: no server is called \"c\"; known are \"a\", \"off\", "
           "\"b\"");

  auto disabled = find_server(config, "off");
  REQUIRE_FALSE(disabled);
  CHECK_THAT(text_of(disabled.error()), ContainsSubstring("is disabled"));

  auto unsupported = find_server(config, "b");
  REQUIRE_FALSE(unsupported);
  CHECK_THAT(text_of(unsupported.error()), ContainsSubstring("url: "));
}

TEST_CASE("a configuration file is loaded", "[server_config]") {
  scratch_directory scratch;
  auto path
    = scratch.write("mcp.json", R"({"mcpServers": {"x": {"command": "x"}}})");
  auto config = load_server_config(path);
  REQUIRE(config);
  CHECK(config->servers.size() == 1);
  auto missing = load_server_config(scratch.path() + "/none.json");
  REQUIRE_FALSE(missing);
  CHECK_THAT(text_of(missing.error()), StartsWith("not_found: "));
}

TEST_CASE("errors show what the file has, not what a variable holds",
          "[server_config]") {
  auto config = parse_good(R"({"mcpServers": {
    "args": {"command": "x", "args": "--password=${TOKEN}"},
    "item": {"command": "x", "args": ["a", {"secret": "${TOKEN}"}]},
    "command": {"command": "run ${TOKEN}"},
    "relative": {"command": "./${TOKEN}"},
    "object": {"command": {"secret": "hunter2"}},
    "cd": {"command": "x", "cd": "/nonexistent/${TOKEN}"},
    "cwd": {"command": "x", "cwd": "${TOKEN}"},
    "stderr": {"command": "x", "stderr": "${TOKEN}"},
    "file": {"command": "x", "stderr": {"file": "${TOKEN}"}},
    "long": {"command": "x", "cd":
      "/nonexistent/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa${TOKEN}"},
    "deep": {"command": "x", "stderr": [[{"secret": {"x": "hunter2"}}]]}}})");
  for (const auto& server : config.servers) {
    const auto text = text_of(server.error);
    CAPTURE(text);
    CHECK(server.state == server_entry_state::broken);
    CHECK_THAT(text, !ContainsSubstring("hunter2"));
    CHECK_THAT(text,
               ContainsSubstring("must be") || ContainsSubstring("must be an"));
  }
  CHECK_THAT(text_of(config.servers.at(0).error),
             ContainsSubstring(R"(args: is "--password=${TOKEN}"; must be)"));
  CHECK_THAT(text_of(config.servers.at(5).error),
             ContainsSubstring(R"("/nonexistent/${TOKEN}", which does not)"));
}

TEST_CASE("what is hidden from other nodes is hidden, broken or not",
          "[server_config]") {
  auto config = parse_good(R"({"mcpServers": {
    "broken": {"command": "x", "args": ["${NONE}"], "remote": false},
    "url": {"url": "https://x", "remote": false},
    "off": {"command": "x", "disabled": true, "remote": false},
    "odd": {"command": "x", "tools": ["read"]}}})");
  for (const auto& server : config.servers)
    CHECK_FALSE(server.policy.offer.remote);
  CHECK(config.servers.at(3).state == server_entry_state::broken);
}

TEST_CASE("the nearest key may be one of a hub", "[server_config]") {
  auto config = parse_good(
    R"({"mcpServers": {"x": {"command": "x", "maxRestarts": 1}}})");
  CHECK_THAT(config.warnings.at(0),
             ContainsSubstring(R"(the nearest known key is "max_restarts")"));
}

TEST_CASE("a key that decides what is offered must not stand twice",
          "[server_config]") {
  for (const auto* entry :
       {R"({"command": "a", "remote": false, "remote": true})",
        R"({"command": "a", "tools": {"deny": ["x"]}, "tools": {}})",
        R"({"command": "a", "tools": {"deny": ["x"], "deny": []}})",
        R"({"command": "a", "remote": false, "r\u0065mote": true})",
        R"({"command": "a", "remote": false}, "x": {"command": "a"})"}) {
    CAPTURE(entry);
    const auto config
      = parse_good(R"({"mcpServers": {"x": )" + std::string{entry} + "}}");
    REQUIRE(config.servers.size() == 1);
    CHECK(config.servers[0].state == server_entry_state::broken);
    CHECK_FALSE(config.servers[0].policy.offer.remote);
    CHECK_THAT(text_of(config.servers[0].error), ContainsSubstring("twice"));
  }
}

TEST_CASE("any other key that stands twice is odd", "[server_config]") {
  const auto config = parse_good(R"({"mcpServers": {"x": {
    "command": "a", "command": "b", "env": {"A": "1", "A": "2"}}}})");
  CHECK(config.servers[0].state == server_entry_state::usable);
  CHECK(config.servers[0].options.command == "b");
  REQUIRE(config.warnings.size() == 2);
  CHECK_THAT(
    config.warnings[0],
    ContainsSubstring(R"(server "x": the key "command" stands twice)"));
  CHECK_THAT(config.warnings[1], ContainsSubstring(R"(the key "A")"));
  CHECK_THAT(error_of(R"({"mcpServers": {}, "mcpServers": {}})"),
             ContainsSubstring("mcpServers: stands twice"));
}

TEST_CASE("tools that an editor disables and a node offers are odd",
          "[server_config]") {
  const auto warnings_of = [](const std::string& members) {
    return parse_good(R"({"mcpServers": {"x": {"command": "a", )" + members
                      + "}}}")
      .warnings;
  };
  const auto warnings = warnings_of(R"("disabledTools": ["send"])");
  REQUIRE(warnings.size() == 1);
  CHECK_THAT(warnings[0], ContainsSubstring(R"("disabledTools" is ignored)"));
  CHECK_THAT(warnings[0], ContainsSubstring(R"("send")"));
  CHECK(warnings_of(R"("disabledTools": [])").empty());
  CHECK(warnings_of(R"("disabledTools": ["send"], "remote": false)").empty());
  CHECK(warnings_of(R"("disabledTools": ["send"], "tools": {"deny": ["send"]})")
          .empty());
}
