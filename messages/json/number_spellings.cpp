#include "caf_mcp/messages/json/number_spellings.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <limits>
#include <system_error>

namespace caf_mcp {

namespace {

constexpr std::string_view exponent_signs = "eE";

/// Decimal digits that a double may need.
constexpr auto double_digits_max
  = std::numeric_limits<double>::max_digits10; // 17

std::string_view mantissa_of(std::string_view text) {
  text = text.substr(0, text.find_first_of(exponent_signs));
  if (text.starts_with('-'))
    text.remove_prefix(1);
  return text;
}

bool is_zero(std::string_view mantissa) {
  return mantissa.find_first_not_of("0.") == std::string_view::npos;
}

/// Returns the exponent that `text` ends with; the largest for larger ones.
long exponent_of(std::string_view text) {
  const auto sign = text.find_first_of(exponent_signs);
  if (sign == std::string_view::npos)
    return 0;
  text.remove_prefix(sign + 1);
  if (text.starts_with('+'))
    text.remove_prefix(1);
  auto result = 0L;
  const auto [_, error]
    = std::from_chars(text.data(), text.data() + text.size(), result);
  if (error == std::errc{})
    return result;
  constexpr auto largest = std::numeric_limits<long>::max() / 2;
  return text.starts_with('-') ? -largest : largest;
}

/// Returns whether a number out of a double's range is too large, not too
/// small: by the place of its first digit.
bool is_too_large(std::string_view text) {
  const auto mantissa = mantissa_of(text);
  const auto point = std::min(mantissa.find('.'), mantissa.size());
  const auto first = mantissa.find_first_not_of("0.");
  return static_cast<long>(point) - static_cast<long>(first) + exponent_of(text)
         > 0;
}

/// Returns how many digits of a number are more than zeros that say where its
/// point is.
std::ptrdiff_t significant_digits(std::string_view text) {
  auto mantissa = mantissa_of(text);
  if (is_zero(mantissa))
    return 0;
  mantissa.remove_prefix(mantissa.find_first_not_of("0."));
  mantissa = mantissa.substr(0, mantissa.find_last_not_of("0.") + 1);
  return static_cast<std::ptrdiff_t>(mantissa.size())
         - std::count(mantissa.begin(), mantissa.end(), '.');
}

} // namespace

std::string_view
number_spellings::find(const boost::json::value& number) const noexcept {
  const auto found = std::ranges::lower_bound(sorted_, &number, std::less<>{},
                                              &number_spelling::number);
  return found != sorted_.end() && found->number == &number
           ? found->text
           : std::string_view{};
}

double read_double(std::string_view text) noexcept {
  auto result = 0.0;
  const auto [_, error]
    = std::from_chars(text.data(), text.data() + text.size(), result);
  if (error == std::errc{})
    return result;
  const auto magnitude = !is_zero(mantissa_of(text)) && is_too_large(text)
                           ? std::numeric_limits<double>::infinity()
                           : 0.0;
  return text.starts_with('-') ? -magnitude : magnitude;
}

bool is_beyond_double(std::string_view text, double read) noexcept {
  if (!std::isfinite(read)
      || text.find_first_of(".eE") == std::string_view::npos)
    return true;
  if (read == 0.0)
    return !is_zero(mantissa_of(text));
  return text.size() > double_digits_max
         && significant_digits(text) > double_digits_max;
}

} // namespace caf_mcp
