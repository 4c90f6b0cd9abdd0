#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

namespace caf_mcp {

/// Finds the enumerator that `to_string` calls `name`. Enumerations here have
/// an underlying byte and a `to_string` that returns an empty view for values
/// outside the enumeration, so their names are written down once only.
template <class Enum>
std::optional<Enum> enum_from_name(std::string_view name) {
  for (auto value = 0; value < 256; ++value) {
    auto candidate = static_cast<Enum>(value);
    if (auto known = to_string(candidate); !known.empty() && known == name)
      return candidate;
  }
  return std::nullopt;
}

/// Inspects an enumeration: by name in readable formats, by value else. Unknown
/// names and values are refused.
template <class Inspector, class Enum>
bool enum_inspect(Inspector& f, Enum& x) {
  using integer = std::underlying_type_t<Enum>;
  if (f.has_human_readable_format()) {
    auto get = [&x] { return std::string{to_string(x)}; };
    auto set = [&x](const std::string& name) {
      auto value = enum_from_name<Enum>(name);
      if (value)
        x = *value;
      return value.has_value();
    };
    return f.apply(get, set);
  }
  auto get = [&x] { return static_cast<integer>(x); };
  auto set = [&x](integer value) {
    x = static_cast<Enum>(value);
    return !to_string(x).empty();
  };
  return f.apply(get, set);
}

} // namespace caf_mcp
