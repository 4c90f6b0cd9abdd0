#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace caf_mcp {

/// A response without an error, as serialisers write it: nothing but
/// `jsonrpc`, an integer `id` and `result`, no white space between them.
struct plain_response {
  std::int64_t id = 0;
  /// Whatever stands between the other members. If it is one JSON value, the
  /// line is one JSON object with these three members, and with no other.
  std::string_view result;
};

/// Takes `line` apart if it looks like a plain response, with `result` as its
/// last member or as its first; so that it need not be parsed as a whole.
std::optional<plain_response> split_plain_response(std::string_view line);

} // namespace caf_mcp
