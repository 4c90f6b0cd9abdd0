#include "caf_mcp/messages/json/excerpt.hpp"

#include "caf_mcp/messages/json/utf8.hpp"

#include <algorithm>

namespace caf_mcp {

namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";

void append_escaped(std::string& out, unsigned char byte) {
  constexpr std::string_view digits = "0123456789abcdef";
  out += "\\x";
  out += digits[byte >> 4];
  out += digits[byte & 0x0F];
}

/// Returns the length of the character at the front of `text`, or 0.
std::size_t character_bytes(std::string_view text) {
  for (std::size_t bytes = 1; bytes <= std::min<std::size_t>(4, text.size());
       ++bytes)
    if (is_valid_utf8(text.substr(0, bytes)))
      return bytes;
  return 0;
}

} // namespace

std::string excerpt(std::string_view text, std::size_t bytes_max) {
  std::string result;
  for (auto character : text.substr(0, bytes_max)) {
    auto byte = static_cast<unsigned char>(character);
    if (byte < 0x20 || byte >= 0x7F)
      append_escaped(result, byte);
    else
      result += character;
  }
  if (text.size() > bytes_max)
    result += "...";
  return result;
}

std::string to_valid_utf8(std::string_view text) {
  if (is_valid_utf8(text))
    return std::string{text};
  std::string result;
  while (!text.empty()) {
    auto bytes = character_bytes(text);
    result += bytes == 0 ? replacement : text.substr(0, bytes);
    text.remove_prefix(std::max<std::size_t>(bytes, 1));
  }
  return result;
}

} // namespace caf_mcp
