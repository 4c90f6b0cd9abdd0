#pragma once

#include <string>
#include <string_view>

namespace caf_mcp {

/// Returns whether `text` is valid UTF-8: no overlong forms, no surrogates,
/// nothing above U+10FFFF (RFC 3629).
bool is_valid_utf8(std::string_view text) noexcept;

/// Returns `text` with U+FFFD in place of what is not valid UTF-8: one for each
/// bad byte and the continuation bytes behind it.
std::string to_valid_utf8(std::string text);

} // namespace caf_mcp
