#include "caf_mcp/messages/config/option_descriptor.hpp"

#include "tests/support/paths.hpp"
#include "tests/support/scratch_directory.hpp"
#include "tests/support/tool.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::StartsWith;
using tests::binary;
using tests::only_json;
using tests::run_tool;
using tests::scratch_directory;
using tests::tool_result;
using tests::tool_run;

namespace {

/// Returns the environment of a demo server that is started with `options`.
boost::json::object environment(std::vector<std::string> options,
                                const tool_run::setup& how = {}) {
  options.insert(options.end(),
                 {"call", "env", "--json", "--", binary("demo-server")});
  auto result = run_tool(std::move(options), how);
  REQUIRE(result.status == 0);
  return only_json(result.out).at("structuredContent").as_object();
}

/// Checks that a command line is refused. Returns the message.
std::string refusal(std::vector<std::string> words) {
  words.insert(words.begin(), "--json");
  auto result = run_tool(std::move(words));
  CHECK(result.status == 2);
  auto error = only_json(result.out).at("error").as_object();
  CHECK(error.at("name") == "config_invalid");
  auto message = std::string{error.at("message").as_string()};
  CHECK(result.err == "caf-mcp: config_invalid: " + message + '\n');
  return message;
}

std::string config_with_demo(const scratch_directory& scratch,
                             std::string_view more) {
  return scratch.write("mcp.json", R"({"mcpServers": {"demo": {"command": ")"
                                     + binary("demo-server") + '"'
                                     + std::string{more} + "}}}");
}

std::string content(const std::string& path) {
  std::ifstream file{path};
  return {std::istreambuf_iterator<char>{file}, {}};
}

} // namespace

TEST_CASE("every option of a server is an option of the tool", "[tool]") {
  auto help = run_tool({"--help"}).out;
  for (const auto& option : caf_mcp::option_descriptors()) {
    if (option.key == "command" || option.key == "args")
      continue;
    auto name = "  --" + std::string{option.key};
    std::replace(name.begin(), name.end(), '_', '-');
    CHECK_THAT(help, ContainsSubstring(name));
  }
}

TEST_CASE("a value that is not allowed is refused by name", "[tool]") {
  auto refused = [](std::string flag, std::string value) {
    return refusal({"tools", std::move(flag), std::move(value), "--", "x"});
  };
  CHECK_THAT(refused("--max-message-bytes", "0"),
             StartsWith("max_message_bytes: is 0; must be an integer from 1"));
  CHECK_THAT(refused("--stdin-grace", "-5"), StartsWith("stdin_grace: is -5;"));
  CHECK_THAT(refused("--stdin-grace", "soon"),
             StartsWith("stdin_grace: is \"soon\"; must be an integer"));
  CHECK_THAT(refused("--mode", "fast"), StartsWith("mode: is \"fast\"; must"));
  CHECK_THAT(refused("--stderr", "file:log"), ContainsSubstring("stderr"));
  CHECK_THAT(refused("--stderr", "stdout"),
             StartsWith("stderr: is \"stdout\""));
  CHECK_THAT(refused("--cd", "here"), StartsWith("cd: is \"here\""));
  CHECK_THAT(refused("--env", "=x"), StartsWith("env: "));
  CHECK_THAT(refused("--env", "NOT_SET_ANYWHERE"), StartsWith("env: "));
  CHECK_THAT(refused("--client-info", "me"), StartsWith("client_info: "));
  CHECK_THAT(refused("--timeout", "0"), StartsWith("timeout: is \"0\"; must"));
  CHECK_THAT(refused("--protocol-version", "1999"),
             StartsWith("protocol_version: is \"1999\""));
}

TEST_CASE("a modern version in legacy mode is refused at once", "[tool]") {
  CHECK_THAT(refusal({"tools", "--mode", "legacy", "--protocol-version",
                      "2026-07-28", "--", "x"}),
             StartsWith("protocol_version: "));
}

TEST_CASE("a wrong command line names what was meant", "[tool]") {
  CHECK(refusal({"tool", "--", "x"})
        == "\"tool\" is not a command; the nearest is tools");
  CHECK(refusal({"tools", "--stdin-grce", "5", "--", "x"})
        == "--stdin-grce: is not an option; the nearest is --stdin-grace");
  CHECK(refusal({"tools", "--mode"}) == "--mode: needs a value");
  CHECK_THAT(refusal({}), StartsWith("no command"));
  CHECK_THAT(refusal({"call", "--", "x"}), ContainsSubstring("TOOL"));
  CHECK_THAT(refusal({"tools", "more", "--", "x"}), ContainsSubstring("more"));
  CHECK_THAT(refusal({"call", "t", "word", "--", "x"}),
             StartsWith("arguments: \"word\" is neither a JSON object nor"));
  CHECK_THAT(refusal({"call", "t", "{\"a\":", "--", "x"}),
             StartsWith("arguments: "));
  CHECK_THAT(refusal({"call", "t", "a:=b", "--", "x"}),
             StartsWith("arguments: \"a:=b\" must have JSON"));
}

TEST_CASE("a server must be named, in one way", "[tool]") {
  CHECK_THAT(refusal({"tools"}), StartsWith("server: is missing; name one"));
  CHECK_THAT(refusal({"tools", "--"}), StartsWith("command: is missing"));
  CHECK_THAT(refusal({"tools", "--server", "x"}),
             StartsWith("config: is missing"));
  CHECK_THAT(refusal({"info", "--config", "x"}),
             StartsWith("server: is missing"));
  CHECK_THAT(refusal({"tools", "--config", "x", "--server", "x", "--", "x"}),
             StartsWith("server: is named twice"));
}

TEST_CASE("the server gets an allowlist and what the options add", "[tool]") {
  tool_run::setup how;
  how.env = {{"PATH", "/usr/bin"},
             {"HOME", "/root"},
             {"API_KEY", "hunter2"},
             {"OTHER", "other"},
             {"FUNCTION", "() { }"}};
  CHECK(environment({}, how)
        == boost::json::object{{"PATH", "/usr/bin"}, {"HOME", "/root"}});
  auto all = environment({"--inherit-env", "all"}, how);
  CHECK(all.at("OTHER") == "other");
  CHECK_FALSE(all.contains("FUNCTION"));
  auto more
    = environment({"--inherit-env", "OTHER", "--inherit-env=API_KEY", "--env",
                   "NEW=a=b", "--env", "HOME=/x", "--unset-env", "PATH"},
                  how);
  CHECK(more
        == boost::json::object{{"HOME", "/x"},
                               {"OTHER", "other"},
                               {"API_KEY", "hunter2"},
                               {"NEW", "a=b"}});
}

TEST_CASE("a variable can be passed on without its value", "[tool]") {
  tool_run::setup how;
  how.env = {{"TOKEN", "hunter2"}};
  auto seen
    = environment({"--env", "TOKEN", "--secret-env", "KEY=s3cret"}, how);
  CHECK(seen.at("TOKEN") == "hunter2");
  CHECK(seen.at("KEY") == "s3cret");
  CHECK(environment({"--secret-env", "TOKEN"}, how).at("TOKEN") == "hunter2");
}

TEST_CASE("the server runs in the directory of --cd", "[tool]") {
  scratch_directory scratch;
  auto result = run_tool({"info", "--cd", scratch.path(), "--stderr",
                          "file:" + scratch.path() + "/log", "--", "sh", "-c",
                          "pwd >&2; exec \"$0\"", binary("demo-server")});
  CHECK(result.status == 0);
  CHECK(result.err.empty());
  CHECK_THAT(content(scratch.path() + "/log"),
             ContainsSubstring(
               std::filesystem::path{scratch.path()}.filename().string()));
}

TEST_CASE("a relative path to the server is made absolute", "[tool]") {
  tool_run::setup how;
  how.directory = binary("");
  auto result = run_tool({"ping", "--", "./demo-server"}, how);
  CHECK(result.status == 0);
  CHECK(result.err.empty());
}

TEST_CASE("stderr is quiet when all is well and shown with --verbose",
          "[tool]") {
  const std::vector<std::string> server{
    "--", "sh", "-c", "echo hello from the server >&2; exec \"$0\"",
    binary("demo-server")};
  auto with = [&server](std::vector<std::string> words) {
    words.insert(words.end(), server.begin(), server.end());
    return run_tool(std::move(words)).err;
  };
  CHECK(with({"ping"}).empty());
  auto verbose = with({"ping", "--verbose"});
  CHECK_THAT(verbose, ContainsSubstring("server: hello from the server\n"));
  CHECK_THAT(verbose, ContainsSubstring("connected to caf-mcp-demo-server"));
  CHECK(with({"ping", "--stderr", "inherit"}) == "hello from the server\n");
  CHECK(with({"ping", "--stderr", "discard"}).empty());
}

TEST_CASE("a server is found by its name in a configuration file", "[tool]") {
  scratch_directory scratch;
  auto file = config_with_demo(
    scratch, R"(, "args": ["--name", "configured"], "env": {"A": "1", "B": "2"},
                "stdin_grase": 5)");
  auto result
    = run_tool({"--config", file, "--server", "demo", "info", "--json"});
  REQUIRE(result.status == 0);
  CHECK(only_json(result.out).at("serverInfo").at("name") == "configured");
  CHECK_THAT(result.err, StartsWith("caf-mcp: warning: "));
  CHECK_THAT(result.err, ContainsSubstring("stdin_grace"));
  // Options of the command line win.
  auto env = run_tool({"--config", file, "--server", "demo", "call", "env",
                       "--json", "--env", "B=two"});
  auto seen = only_json(env.out).at("structuredContent").as_object();
  CHECK(seen.at("A") == "1");
  CHECK(seen.at("B") == "two");
}

TEST_CASE("the stderr of a configuration file is respected", "[tool]") {
  scratch_directory scratch;
  auto words = [&](std::string_view mode) {
    auto file = scratch.write(
      "mcp.json", R"({"mcpServers": {"x": {"command": "sh", "args": ["-c",
        "echo noise >&2; exec \"$0\"", ")"
                    + binary("demo-server") + "\"]" + std::string{mode}
                    + "}}}");
    return run_tool({"--config", file, "--server", "x", "ping"}).err;
  };
  CHECK(words("").empty());
  CHECK(words(R"(, "stderr": "inherit")") == "noise\n");
}

TEST_CASE("an unknown server or file is not found", "[tool]") {
  scratch_directory scratch;
  auto file = config_with_demo(scratch, "");
  for (const auto& words :
       {std::vector<std::string>{"--config", file, "--server", "other"},
        {"--config", scratch.path() + "/none.json", "--server", "demo"}}) {
    auto all = words;
    all.insert(all.end(), {"tools", "--json"});
    auto result = run_tool(all);
    CHECK(result.status == 2);
    CHECK(only_json(result.out).at("error").at("name") == "not_found");
  }
}

TEST_CASE("a broken entry names file, server and key", "[tool]") {
  scratch_directory scratch;
  auto file = config_with_demo(scratch, R"(, "max_message_bytes": 0)");
  auto message = refusal({"--config", file, "--server", "demo", "tools"});
  CHECK_THAT(message, StartsWith(file
                                 + ": server \"demo\": "
                                   "max_message_bytes: is 0;"));
  auto syntax = scratch.write("bad.json", "{\n  \"mcpServers\": }\n");
  CHECK_THAT(refusal({"--config", syntax, "--server", "x", "tools"}),
             StartsWith(syntax + ":2:"));
}

TEST_CASE("the version and the help go to stdout, with exit status 0",
          "[tool]") {
  auto version = run_tool({"--version"});
  CHECK(version.status == 0);
  CHECK_THAT(version.out, StartsWith("caf-mcp "));
  for (const auto& words :
       {std::vector<std::string>{"--help"}, {"-h"}, {"call", "--help"}}) {
    auto help = run_tool(words);
    CHECK(help.status == 0);
    CHECK(help.err.empty());
    CHECK_THAT(help.out, StartsWith("usage: caf-mcp "));
  }
}
