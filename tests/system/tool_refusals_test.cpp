#include "caf_mcp/messages/config/option_descriptor.hpp"

#include "tests/support/paths.hpp"
#include "tests/support/scratch_directory.hpp"
#include "tests/support/tool.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

// Options that a command cannot heed are refused, never ignored.

using Catch::Matchers::ContainsSubstring;
using tests::only_json;
using tests::run_tool;
using tests::scratch_directory;

namespace {

using word_list = std::vector<std::string>;

constexpr std::string_view no_effect = "has no effect here";

enum class option_target { nothing, process, tree, nodes };

/// A command with all that it needs, and what it can be about.
struct tried_command {
  word_list words;
  std::vector<option_target> targets;
};

const std::vector<tried_command>& tried_commands() {
  using enum option_target;
  static const std::vector<tried_command> all{
    {{"info"}, {process, nodes}},
    {{"ping"}, {process, nodes}},
    {{"tools"}, {process, tree, nodes}},
    {{"resources"}, {process, tree, nodes}},
    {{"templates"}, {process, tree, nodes}},
    {{"prompts"}, {process, tree, nodes}},
    {{"call", "x"}, {process, nodes}},
    {{"read", "x"}, {process, nodes}},
    {{"prompt", "x"}, {process, nodes}},
    {{"complete", "prompt", "x", "a=b"}, {process, nodes}},
    {{"listen"}, {process, nodes}},
    {{"logs"}, {process, nodes}},
    {{"request", "x"}, {process, nodes}},
    {{"notify", "x"}, {process, nodes}},
    {{"status"}, {tree}},
    {{"status", "--watch"}, {tree}},
    {{"serve", "--listen", "127.0.0.1:0"}, {tree}},
    {{"credentials", "revoke", "nobody"}, {nothing}},
  };
  return all;
}

/// An option as it is given, and the targets with which it has an effect.
struct tried_option {
  word_list words;
  std::vector<option_target> targets;
};

std::vector<tried_option> tried_options() {
  using enum option_target;
  std::vector<tried_option> result{
    {{"--json"}, {nothing, process, tree, nodes}},
    {{"--verbose"}, {process, tree, nodes}},
    {{"--timeout", "5000"}, {process, tree, nodes}},
    {{"--sampling-command", "true"}, {process, tree}},
    {{"--request-timeout", "5000"}, {process, tree}},
    {{"--max-reconnects", "0"}, {process}},
    {{"--env", "A=1"}, {process, tree}},
    {{"--secret-env", "A=1"}, {process, tree}},
    {{"--unset-env", "A"}, {process, tree}},
    {{"--cd", "/nonexistent"}, {process, tree}},
    {{"--mode", "legacy"}, {process, tree}},
  };
  return result;
}

word_list words_of(option_target target, const std::string& config) {
  switch (target) {
    case option_target::nothing:
      return {};
    case option_target::process:
      return {"--", "/nonexistent-server"};
    case option_target::tree:
      return {"--config", config};
    case option_target::nodes:
      return {"--node", "127.0.0.1:1", "--server", "x"};
  }
  return {};
}

bool goes_on(const tried_command& command) {
  return command.words.front() == "serve" || command.words.back() == "--watch";
}

bool is_refused(const tried_command& command, const tried_option& option,
                option_target target) {
  return std::find(option.targets.begin(), option.targets.end(), target)
           == option.targets.end()
         || (option.words.front() == "--timeout" && goes_on(command));
}

/// A configuration whose one server cannot be started.
std::string config_without_server(const scratch_directory& scratch) {
  return scratch.write("none.json", R"({"mcpServers": {"x": {"command":
    "/nonexistent-server", "restart": "temporary"}}})");
}

std::string try_option(const tried_command& command, const word_list& option,
                       option_target target, const std::string& config) {
  auto words = option;
  words.insert(words.end(), command.words.begin(), command.words.end());
  const auto about = words_of(target, config);
  words.insert(words.end(), about.begin(), about.end());
  return run_tool(std::move(words)).err;
}

/// Tries each option with each command that has this target.
void try_options(option_target target) {
  const scratch_directory scratch;
  const auto config = config_without_server(scratch);
  for (const auto& command : tried_commands()) {
    if (std::find(command.targets.begin(), command.targets.end(), target)
        == command.targets.end())
      continue;
    for (const auto& option : tried_options()) {
      const auto refused = is_refused(command, option, target);
      if (!refused && goes_on(command))
        continue; // it would
      CAPTURE(command.words, option.words);
      const auto said = try_option(command, option.words, target, config);
      if (refused)
        CHECK_THAT(said, ContainsSubstring(option.words.front() + ": "
                                           + std::string{no_effect}));
      else
        CHECK_THAT(said, !ContainsSubstring(std::string{no_effect}));
    }
  }
}

} // namespace

TEST_CASE("an option without effect is refused by commands without a server",
          "[tool][options]") {
  try_options(option_target::nothing);
}

TEST_CASE("an option without effect is refused for one server",
          "[tool][options]") {
  try_options(option_target::process);
}

TEST_CASE("an option without effect is refused for many servers",
          "[tool][options]") {
  try_options(option_target::tree);
}

TEST_CASE("an option without effect is refused for servers of nodes",
          "[tool][options]") {
  try_options(option_target::nodes);
}

TEST_CASE("every option of a server is refused for one of a node",
          "[tool][options]") {
  for (const auto& option : caf_mcp::option_descriptors()) {
    if (option.key == "command" || option.key == "args")
      continue;
    auto name = "--" + std::string{option.key};
    std::replace(name.begin(), name.end(), '_', '-');
    word_list words{name};
    if (option.kind != caf_mcp::option_kind::flag)
      words.emplace_back("1");
    CHECK_THAT(try_option({{"ping"}, {}}, words, option_target::nodes, ""),
               ContainsSubstring(name + ": " + std::string{no_effect}));
  }
}

TEST_CASE("an empty value of an option is refused", "[tool][options]") {
  for (const auto* option :
       {"--timeout", "--config", "--server", "--node", "--sampling-command",
        "--tls-key", "--request-timeout", "--cd", "--mode"}) {
    auto run
      = run_tool({option, "", "ping", "--", "/nonexistent-server", "--json"});
    CAPTURE(option, run.err);
    CHECK(run.status == 2);
    CHECK_THAT(run.err, ContainsSubstring(std::string{option} + ": is \"\""));
  }
  CHECK_THAT(run_tool({"listen", "--count", "", "--", "/x"}).err,
             ContainsSubstring("--count: is \"\"; needs a value"));
}

TEST_CASE("a flag takes no value", "[tool][options]") {
  for (const auto* flag :
       {"--json", "--verbose", "--insecure", "--allow-batch-files"})
    for (const auto* value : {"=true", "=false", "="}) {
      auto run = run_tool(
        {"ping", std::string{flag} + value, "--", "/nonexistent-server"});
      CAPTURE(flag, value, run.err);
      CHECK(run.status == 2);
      CHECK_THAT(run.err, ContainsSubstring(std::string{flag}));
    }
}

TEST_CASE("the version and the help are a document, too", "[tool][options]") {
  auto version = run_tool({"--version", "--json"});
  CHECK(version.status == 0);
  CHECK_THAT(std::string{only_json(version.out).at("version").as_string()},
             ContainsSubstring("caf-mcp "));
  auto help = run_tool({"--json", "tools", "--help"});
  CHECK(help.status == 0);
  CHECK(only_json(help.out).contains("help"));
}
