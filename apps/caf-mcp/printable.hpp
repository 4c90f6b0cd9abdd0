#pragma once

#include <string>
#include <string_view>

namespace caf_mcp::tool {

/// Makes foreign text harmless to a terminal: control characters, and those
/// that reorder text, are escaped (`\x1b`, `\u202e`); colours are left out.
/// Keeps line feeds and tabs, and replaces what is not valid UTF-8.
std::string printable(std::string_view text);

/// Makes one printable line of `text`: each run of white space is one space.
std::string one_line(std::string_view text);

/// Returns the columns that `text` takes, one for each character.
std::size_t columns(std::string_view text) noexcept;

} // namespace caf_mcp::tool
