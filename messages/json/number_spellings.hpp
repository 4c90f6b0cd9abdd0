#pragma once

#include <boost/json/value.hpp>

#include <cstddef>
#include <span>
#include <string_view>

namespace caf_mcp {

/// A number of a document as its text spells it.
struct number_spelling {
  const boost::json::value* number;
  std::string_view text;
};

/// The numbers of a document whose value `boost::json::value` does not hold:
/// integers beyond 64 bits, `1e999`, a fraction of more digits than a double
/// has. They are passed on as they were received.
class number_spellings {
public:
  number_spellings() noexcept = default;

  /// Refers to `sorted`, which is in the order of the addresses.
  explicit number_spellings(std::span<const number_spelling> sorted) noexcept
    : sorted_{sorted} {
    // nop
  }

  bool empty() const noexcept {
    return sorted_.empty();
  }

  /// Returns how the text spells `number`; empty if it is like any other.
  std::string_view find(const boost::json::value& number) const noexcept;

private:
  std::span<const number_spelling> sorted_;
};

/// Reads a number that JSON allows, to the last bit; what is too large is
/// infinite, what is too small is zero (as of `strtod`, in the "C" locale).
double read_double(std::string_view text) noexcept;

/// Returns whether a number that is no 64-bit integer is to be kept as `text`
/// spells it, since `read` says less.
bool is_beyond_double(std::string_view text, double read) noexcept;

} // namespace caf_mcp
