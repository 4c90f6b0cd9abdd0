#include "caf_mcp/messages/config/expand_variables.hpp"

#include "caf_mcp/messages/error_info.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdlib>

namespace caf_mcp {

namespace {

/// What stands between `${` and `}`.
struct placeholder {
  std::string_view name;
  std::optional<std::string_view> fallback;
};

bool is_name_character(char c) noexcept {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z')
         || (c >= '0' && c <= '9') || c == '_';
}

placeholder parse(std::string_view text) {
  constexpr std::string_view prefix = "env:";
  constexpr std::string_view separator = ":-";
  if (text.starts_with(prefix))
    text.remove_prefix(prefix.size());
  auto end = text.find(separator);
  if (end == std::string_view::npos)
    return {text, std::nullopt};
  return {text.substr(0, end), text.substr(end + separator.size())};
}

caf::error refuse(std::string_view key, std::string_view text,
                  std::string_view why) {
  auto message = std::string{"${"};
  message += text;
  message += "}: ";
  message += why;
  return config_error(key, message);
}

/// Appends what `text`, found between `${` and `}`, stands for.
caf::error append_value(std::string& to, std::string_view text,
                        std::string_view key, const variable_lookup& lookup) {
  auto [name, fallback] = parse(text);
  if (name.empty() || !std::ranges::all_of(name, is_name_character))
    return refuse(key, text,
                  "must be ${env:NAME}, ${NAME} or ${NAME:-default}");
  if (auto value = lookup(name))
    to += *value;
  else if (fallback)
    to += *fallback;
  else
    return refuse(key, text,
                  "the environment variable " + std::string{name}
                    + " is not set");
  return {};
}

caf::error expand_text(boost::json::string& text, std::string_view key,
                       const variable_lookup& lookup) {
  auto rest = std::string_view{text.data(), text.size()};
  std::string result;
  for (;;) {
    auto begin = rest.find("${");
    auto end
      = rest.find('}', begin == std::string_view::npos ? begin : begin + 2);
    if (begin == std::string_view::npos || end == std::string_view::npos)
      break;
    result += rest.substr(0, begin);
    auto inner = rest.substr(begin + 2, end - begin - 2);
    if (auto error = append_value(result, inner, key, lookup))
      return error;
    rest.remove_prefix(end + 1);
  }
  result += rest;
  text = result;
  return {};
}

} // namespace

std::optional<std::string> host_variable(std::string_view name) {
  const auto* value = std::getenv(std::string{name}.c_str());
  if (value == nullptr)
    return std::nullopt;
  return std::string{value};
}

caf::error expand_variables(boost::json::value& value, std::string_view key,
                            const variable_lookup& lookup) {
  if (auto* text = value.if_string())
    return expand_text(*text, key, lookup);
  if (auto* items = value.if_array())
    for (auto& item : *items)
      if (auto error = expand_variables(item, key, lookup))
        return error;
  if (auto* members = value.if_object())
    for (auto& member : *members)
      if (auto error = expand_variables(member.value(), key, lookup))
        return error;
  return {};
}

} // namespace caf_mcp
