#include "server_flags.hpp"

#include "caf_mcp/messages/config/option_descriptor.hpp"
#include "caf_mcp/messages/config/options_json.hpp"
#include "caf_mcp/messages/error_info.hpp"

#include <CLI/CLI.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/value_from.hpp>
#include <caf/expected.hpp>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <system_error>
#include <utility>

namespace caf_mcp::tool {

namespace {

/// What stands for the value in the help text; empty for a flag.
std::string placeholder(const option_descriptor& option) {
  switch (option.kind) {
    case option_kind::flag:
      return {};
    case option_kind::count:
      return "N";
    case option_kind::bytes:
      return "BYTES";
    case option_kind::milliseconds:
      return "MS";
    case option_kind::choice:
      return "WORD";
    case option_kind::inherited_variables:
      return "WORD|NAME";
    case option_kind::stderr_target:
      return "WORD|file:PATH";
    case option_kind::implementation:
      return "JSON";
    case option_kind::text:
    case option_kind::text_list:
    case option_kind::nullable_text:
    case option_kind::environment:
      break;
  }
  return option.key == "cd" ? "DIR" : "TEXT";
}

/// Returns what is allowed on a command line, where nothing is null.
std::string without_null(std::string allowed) {
  for (std::string_view end : {", or null", " or null"})
    if (allowed.ends_with(end))
      allowed.resize(allowed.size() - end.size());
  return allowed;
}

/// Returns the help text of an option: sentence, what is allowed, default.
std::string help_text(const option_descriptor& option) {
  auto text = std::string{option.help};
  switch (option.kind) {
    case option_kind::stderr_target:
      return text
             + " One of capture, inherit, discard, or file:PATH with an "
               "absolute path. Default: capture, and shown if the server "
               "fails.";
    case option_kind::inherited_variables:
      return text
             + " Either allowlist or all, or a name to inherit beside the "
               "allowlist, which may be repeated. Default: allowlist.";
    case option_kind::flag:
      return text;
    default:
      text += " Must be " + without_null(option.allowed) + '.';
      if (option.default_value != "null")
        text += " Default: " + option.default_value + '.';
      return text;
  }
}

boost::json::value number_or_text(const std::string& text) {
  auto number = std::int64_t{0};
  const auto* end = text.data() + text.size();
  auto [rest, error] = std::from_chars(text.data(), end, number);
  if (error == std::errc{} && rest == end)
    return number;
  return boost::json::value(text); // refused with what is allowed
}

boost::json::value inherited_names(const std::vector<std::string>& words) {
  if (words.size() == 1 && enum_from_name<inherit_policy>(words.front()))
    return boost::json::value(words.front());
  return boost::json::value_from(words);
}

boost::json::value stderr_value(const std::string& text) {
  constexpr std::string_view file_prefix = "file:";
  if (text.starts_with(file_prefix))
    return {{"file", text.substr(file_prefix.size())}};
  return boost::json::value(text);
}

boost::json::value json_or_text(const std::string& text) {
  boost::json::error_code error;
  auto value = boost::json::parse(text, error);
  return error ? boost::json::value(text) : value;
}

/// Returns the JSON value that the words on the command line stand for. Of a
/// repeated option that is no list, the last one counts.
boost::json::value to_json(const option_descriptor& option,
                           const std::vector<std::string>& words) {
  const auto& last = words.back();
  switch (option.kind) {
    case option_kind::flag:
      return true;
    case option_kind::count:
    case option_kind::bytes:
    case option_kind::milliseconds:
      return number_or_text(last);
    case option_kind::inherited_variables:
      return inherited_names(words);
    case option_kind::stderr_target:
      return stderr_value(last);
    case option_kind::implementation:
      return json_or_text(last);
    case option_kind::text:
    case option_kind::text_list:
    case option_kind::choice:
    case option_kind::nullable_text:
    case option_kind::environment:
      break;
  }
  return boost::json::value(last);
}

struct variable {
  std::string name;
  std::string value;
};

/// Reads `NAME=VALUE`, or `NAME` for the value in the tool's own environment.
/// Its error never shows a value, which may be secret.
caf::expected<variable> read_variable(const std::string& word) {
  auto sign = word.find('=');
  if (sign != std::string::npos)
    return variable{word.substr(0, sign), word.substr(sign + 1)};
  const auto* value = std::getenv(word.c_str());
  if (value == nullptr)
    return config_error("env", '"' + word
                                 + "\" is neither NAME=VALUE nor the name of "
                                   "a variable that is set");
  return variable{word, value};
}

} // namespace

void server_flags::declare(CLI::App& app) {
  auto add = [&app](const std::string& name, std::vector<std::string>& values,
                    const std::string& type, const std::string& help) {
    app.add_option(name, values, help)
      ->allow_extra_args(false)
      ->type_name(type)
      ->group(std::string{group});
  };
  for (const auto& option : option_descriptors()) {
    auto name = flag_name(option.key);
    if (option.key == "command" || option.key == "args")
      continue;
    if (option.kind == option_kind::environment) {
      add(name, env_, "NAME[=VALUE]",
          "Variable of the server's environment; without a value, the one that "
          "the tool has. May be repeated.");
      add("--secret-env", secret_env_, "NAME[=VALUE]",
          "The same for a value that is never shown or logged.");
      add("--unset-env", unset_env_, "NAME",
          "Variable that the server must not have. May be repeated.");
    } else if (option.kind == option_kind::flag) {
      app
        .add_flag_function(
          name, [&to = values_[option.key]](std::int64_t) { to = {"true"}; },
          help_text(option))
        ->group(std::string{group});
    } else {
      add(name, values_[option.key], placeholder(option), help_text(option));
    }
  }
}

caf::error server_flags::apply(server_options& to) const {
  for (const auto& [key, words] : values_)
    if (!words.empty())
      if (auto error = set_option(to, key, to_json(*find_option(key), words)))
        return error;
  return apply_env(to);
}

caf::error server_flags::apply_env(server_options& to) const {
  for (const auto& word : env_) {
    auto read = read_variable(word);
    if (!read)
      return std::move(read.error());
    to.env.insert_or_assign(std::move(read->name), std::move(read->value));
  }
  for (const auto& word : secret_env_) {
    auto read = read_variable(word);
    if (!read)
      return std::move(read.error());
    to.env.insert_or_assign(std::move(read->name),
                            secret{std::move(read->value)});
  }
  for (const auto& name : unset_env_)
    to.env.insert_or_assign(name, unset_variable{});
  return {};
}

std::string flag_name(std::string_view key) {
  auto result = "--" + std::string{key};
  std::replace(result.begin(), result.end(), '_', '-');
  return result;
}

} // namespace caf_mcp::tool
