// A call of a tool and its arguments.
#pragma once

#include "request.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace demo {

/// Thrown for an argument that does not fit the tool's input schema. Becomes a
/// result with `isError`, so that the model that called can mend it
/// (2025-11-25, Tools, Error Handling).
struct bad_argument {
  std::string text;
};

/// A bound for a whole number, both ends included.
struct range {
  std::int64_t least;
  std::int64_t most;
};

struct tool_call {
  const request& req;
  const json::object& arguments;

  /// @throws bad_argument when it is missing or not a string.
  std::string_view text(std::string_view name) const;

  /// Returns nothing when it is missing.
  /// @throws bad_argument when it is not a string.
  std::optional<std::string_view> optional_text(std::string_view name) const;

  /// Returns nothing when it is missing.
  /// @throws bad_argument when it is not a whole number in `bounds`.
  std::optional<std::int64_t> optional_integer(std::string_view name,
                                               range bounds) const;

  /// @throws bad_argument when it is missing or not a number.
  const json::value& number(std::string_view name) const;
};

} // namespace demo
