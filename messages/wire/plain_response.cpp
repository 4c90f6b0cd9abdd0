#include "caf_mcp/messages/wire/plain_response.hpp"

#include <charconv>
#include <system_error>

namespace caf_mcp {

namespace {

bool is_digit(char c) noexcept {
  return c >= '0' && c <= '9';
}

bool take_prefix(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix))
    return false;
  text.remove_prefix(prefix.size());
  return true;
}

bool take_suffix(std::string_view& text, std::string_view suffix) {
  if (!text.ends_with(suffix))
    return false;
  text.remove_suffix(suffix.size());
  return true;
}

/// Takes the integer that `text` starts with. Negative ones, which this side
/// gives to no request, are left to others.
std::optional<std::int64_t> take_id(std::string_view& text) {
  std::int64_t result = 0;
  const auto [end, error]
    = std::from_chars(text.data(), text.data() + text.size(), result);
  const auto digits = static_cast<std::size_t>(end - text.data());
  if (error != std::errc{} || !is_digit(text.front())
      || (text.front() == '0' && digits > 1)) // which JSON does not allow
    return std::nullopt;
  text.remove_prefix(digits);
  return result;
}

std::optional<plain_response> split_result_last(std::string_view text) {
  const auto id = take_id(text);
  if (!id || !take_prefix(text, R"(,"result":)") || !take_suffix(text, "}"))
    return std::nullopt;
  return plain_response{*id, text};
}

std::optional<plain_response> split_result_first(std::string_view text) {
  if (!take_suffix(text, "}"))
    return std::nullopt;
  auto digits = text.substr(text.find_last_not_of("0123456789") + 1);
  text.remove_suffix(digits.size());
  const auto id = take_id(digits);
  if (!id || !take_suffix(text, R"(,"jsonrpc":"2.0","id":)"))
    return std::nullopt;
  return plain_response{*id, text};
}

} // namespace

std::optional<plain_response> split_plain_response(std::string_view line) {
  if (take_prefix(line, R"({"jsonrpc":"2.0","id":)"))
    return split_result_last(line);
  if (take_prefix(line, R"({"result":)"))
    return split_result_first(line);
  return std::nullopt;
}

} // namespace caf_mcp
