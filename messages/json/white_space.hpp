#pragma once

#include <string_view>

namespace caf_mcp {

/// What may stand between the tokens of JSON (RFC 8259, section 2).
inline constexpr std::string_view json_white_space = " \t\r\n";

/// Returns `text` without white space around it.
inline std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(json_white_space);
  if (first == std::string_view::npos)
    return {};
  return text.substr(first,
                     text.find_last_not_of(json_white_space) - first + 1);
}

} // namespace caf_mcp
