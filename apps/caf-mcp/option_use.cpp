#include "option_use.hpp"

#include "caf_mcp/messages/error_info.hpp"

#include "server_flags.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <string>

namespace caf_mcp::tool {

namespace {

/// For which targets an option has an effect.
struct option_use {
  /// A name, or the group of all options of the server.
  std::string_view option;
  bool with_nothing;
  bool with_process;
  bool with_tree;
  bool with_nodes;
  /// What to do instead.
  std::string_view hint;
};

/// The first row that fits an option counts. The options that are not here say
/// what the target is, and are checked where that is read.
constexpr std::array option_uses{
  option_use{"--json", true, true, true, true, ""},
  option_use{"--log-format", true, true, true, true, ""},
  option_use{"--verbose", false, true, true, true,
             "it is for commands about servers"},
  option_use{"--timeout", false, true, true, true,
             "it is for commands about servers"},
  option_use{"--sampling-command", false, true, true, false,
             "give it to the node: to its command serve"},
  option_use{"--request-timeout", false, true, true, false,
             "the time limit with --node is --timeout"},
  option_use{"--max-reconnects", false, true, false, false,
             "of many servers, max_restarts in the configuration holds"},
  option_use{server_flags::group, false, true, true, false,
             "the configuration of the node says it"},
};

bool has_effect(const option_use& use, target_kind target) {
  switch (target) {
    case target_kind::nothing:
      return use.with_nothing;
    case target_kind::process:
      return use.with_process;
    case target_kind::tree:
      return use.with_tree;
    case target_kind::nodes:
      return use.with_nodes;
  }
  return false;
}

std::string name_of(const CLI::Option& option) {
  return "--" + option.get_lnames().front();
}

caf::error check_effect(const CLI::Option& option, const command& action,
                        target_kind target) {
  const auto name = name_of(option);
  const auto use = std::find_if(
    option_uses.begin(), option_uses.end(), [&](const option_use& each) {
      return each.option == name || each.option == option.get_group();
    });
  if (use == option_uses.end())
    return {};
  if (!has_effect(*use, target))
    return config_error(name, "has no effect here; " + std::string{use->hint});
  if (name == "--timeout" && !action.has_time_limit())
    return config_error(name, "has no effect here; the command goes on until "
                              "it is interrupted");
  return {};
}

caf::error check_value(const CLI::Option& option) {
  const auto& words = option.results();
  if (option.get_type_size() > 0
      && std::find(words.begin(), words.end(), "") != words.end())
    return config_error(name_of(option), "is \"\"; needs a value");
  return {};
}

/// Calls `check` with each option that was given.
template <class Check>
caf::error check_each(const CLI::App& app, Check check) {
  for (const auto* option : app.get_options())
    if (option->nonpositional() && option->count() > 0)
      if (auto error = check(*option))
        return error;
  return {};
}

} // namespace

caf::error check_options(const CLI::App& tool, const command& action,
                         target_kind target) {
  for (const auto* app : tool.get_subcommands())
    if (auto error = check_each(*app, check_value))
      return error;
  return check_each(tool, [&](const CLI::Option& option) {
    auto error = check_value(option);
    return error ? error : check_effect(option, action, target);
  });
}

} // namespace caf_mcp::tool
