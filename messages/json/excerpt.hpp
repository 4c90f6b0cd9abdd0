#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace caf_mcp {

/// Returns at most the first `bytes_max` bytes of `text` for a message to
/// people, with an ellipsis where it was cut. Control bytes and bytes that are
/// not ASCII are escaped (`\x1b`), so that foreign output can do no harm to a
/// terminal or a log.
std::string excerpt(std::string_view text, std::size_t bytes_max = 200);

/// Replaces what is not valid UTF-8 in `text` by U+FFFD.
std::string to_valid_utf8(std::string_view text);

} // namespace caf_mcp
