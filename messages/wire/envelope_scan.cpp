#include "caf_mcp/messages/wire/envelope_scan.hpp"

#include "caf_mcp/messages/json/white_space.hpp"

#include <charconv>
#include <cmath>
#include <cstddef>
#include <string>

namespace caf_mcp {

namespace {

/// Returns the position behind the string that starts at `at`, or npos if it
/// does not end.
std::size_t skip_string(std::string_view text, std::size_t at) {
  for (++at; at < text.size(); ++at) {
    if (text[at] == '\\')
      ++at;
    else if (text[at] == '"')
      return at + 1;
  }
  return std::string_view::npos;
}

/// Returns the position behind the value that starts at `at`: of its comma or
/// of the closing bracket around it. Returns npos if the text ends before.
std::size_t skip_value(std::string_view text, std::size_t at) {
  auto depth = std::size_t{0};
  while (at < text.size()) {
    switch (text[at]) {
      case '"':
        at = skip_string(text, at);
        if (at == std::string_view::npos)
          return at;
        continue;
      case '{':
      case '[':
        ++depth;
        break;
      case '}':
      case ']':
        if (depth == 0)
          return at;
        --depth;
        break;
      case ',':
        if (depth == 0)
          return at;
        break;
      default:
        break;
    }
    ++at;
  }
  return std::string_view::npos;
}

/// Walks the members of the object that a text starts with.
class member_walk {
public:
  explicit member_walk(std::string_view text) : text_{text} {
    at_ = text_.find_first_not_of(json_white_space);
    if (at_ != std::string_view::npos && text_[at_] == '{')
      ++at_;
    else
      at_ = std::string_view::npos;
  }

  /// Moves to the next member; returns whether there is one. The last one of a
  /// text that was cut may have no value.
  bool next() {
    at_ = text_.find_first_not_of(", \t\r\n", at_);
    if (at_ == std::string_view::npos || text_[at_] != '"')
      return false;
    auto name_end = skip_string(text_, at_);
    if (name_end == std::string_view::npos)
      return false;
    name_ = text_.substr(at_ + 1, name_end - at_ - 2);
    auto colon = text_.find_first_not_of(json_white_space, name_end);
    if (colon == std::string_view::npos || text_[colon] != ':')
      return false;
    at_ = skip_value(text_, colon + 1);
    value_.reset();
    if (at_ != std::string_view::npos)
      value_ = trimmed(text_.substr(colon + 1, at_ - colon - 1));
    return true;
  }

  std::string_view name() const noexcept {
    return name_;
  }

  const std::optional<std::string_view>& value() const noexcept {
    return value_;
  }

private:
  std::string_view text_;
  std::size_t at_ = 0;
  std::string_view name_;
  std::optional<std::string_view> value_;
};

/// Returns where the string that ends with the quote at `last` starts, or npos.
std::size_t string_start(std::string_view text, std::size_t last) {
  for (auto at = last; at > 0;) {
    --at;
    if (text[at] != '"')
      continue;
    auto slashes = std::size_t{0};
    while (slashes < at && text[at - slashes - 1] == '\\')
      ++slashes;
    if (slashes % 2 == 0)
      return at;
  }
  return std::string_view::npos;
}

/// Cuts the last scalar off `text`, which ends with it. Empty if it is none.
std::string_view cut_last_scalar(std::string_view& text) {
  text = trimmed(text);
  if (text.empty())
    return {};
  auto last = text.size() - 1;
  auto start = std::size_t{0};
  if (text[last] == '"') {
    start = string_start(text, last);
    if (start == std::string_view::npos)
      return {};
  } else {
    auto before = text.find_last_of(":,{}[]\" \t\r\n");
    if (before == std::string_view::npos || before == last)
      return {};
    start = before + 1;
  }
  auto scalar = text.substr(start);
  text = trimmed(text.substr(0, start));
  return scalar;
}

/// Cuts `last` off the end of `text` if it ends so.
bool cut_last(std::string_view& text, char last) {
  text = trimmed(text);
  if (!text.ends_with(last))
    return false;
  text.remove_suffix(1);
  return true;
}

std::optional<std::int64_t> read_integer(std::string_view text) {
  auto value = std::int64_t{0};
  const auto* end = text.data() + text.size();
  auto [stop, failure] = std::from_chars(text.data(), end, value);
  if (text.empty() || failure != std::errc{} || stop != end)
    return std::nullopt;
  return value;
}

/// Reads an integer in the one spelling that this side writes.
std::optional<std::int64_t> read_decimal(std::string_view text) {
  auto value = read_integer(text);
  return value && std::to_string(*value) == text ? value : std::nullopt;
}

/// Returns whether it starts as no number of JSON does, for example `02`.
bool has_leading_zero(std::string_view text) {
  if (text.starts_with('-'))
    text.remove_prefix(1);
  return text.size() > 1 && text[0] == '0' && text[1] >= '0' && text[1] <= '9';
}

/// From here on a double may stand for another integer than the one written.
constexpr double exact_double_end = 9007199254740992.0; // 2^53

std::optional<std::int64_t> read_integral_float(std::string_view text) {
  auto value = 0.0;
  const auto* end = text.data() + text.size();
  auto [stop, failure] = std::from_chars(text.data(), end, value);
  if (text.empty() || failure != std::errc{} || stop != end)
    return std::nullopt;
  if (!(std::fabs(value) < exact_double_end) || std::trunc(value) != value)
    return std::nullopt;
  return static_cast<std::int64_t>(value);
}

} // namespace

envelope scan_envelope(std::string_view text) {
  envelope result;
  member_walk members{text};
  while (members.next()) {
    const auto& value = members.value();
    if (members.name() == "method")
      result.has_method = true;
    else if (members.name() == "params")
      result.has_params = true;
    else if (members.name() == "jsonrpc")
      result.has_jsonrpc = value == R"("2.0")";
    else if (members.name() == "id" && value)
      result.id_json = *value;
  }
  return result;
}

std::string_view scan_tail_for_id(std::string_view tail) {
  std::string_view id;
  if (!cut_last(tail, '}'))
    return {};
  do {
    auto value = cut_last_scalar(tail);
    if (value.empty() || !cut_last(tail, ':'))
      break;
    auto name = cut_last_scalar(tail);
    if (name == R"("method")")
      return {};
    // Where the tail starts within a string, what looks like a name may be the
    // end of one; then no comma or bracket is before it.
    if (!name.starts_with('"') || !(tail.ends_with(',') || tail.ends_with('{')))
      break;
    if (name == R"("id")" && id.empty())
      id = value;
  } while (cut_last(tail, ','));
  return id;
}

std::optional<std::int64_t> read_own_id(std::string_view id_json) {
  if (id_json.size() > 2 && id_json.starts_with('"') && id_json.ends_with('"'))
    return read_decimal(id_json.substr(1, id_json.size() - 2));
  if (has_leading_zero(id_json))
    return std::nullopt;
  if (auto exact = read_integer(id_json))
    return exact;
  return read_integral_float(id_json);
}

} // namespace caf_mcp
