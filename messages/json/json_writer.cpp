#include "caf_mcp/messages/json/json_writer.hpp"

namespace caf_mcp {

namespace {

constexpr std::size_t block_bytes = 64;

/// Returns whether a block of `block_bytes` has a byte that is not ASCII or
/// that JSON does not allow in quotes. Has one result for all of them, which
/// compilers make vector instructions of.
bool needs_care(const char* block) noexcept {
  unsigned char found = 0;
  for (std::size_t i = 0; i < block_bytes; ++i) {
    const auto byte = static_cast<signed char>(block[i]);
    found |= byte < 0x20 || byte == '"' || byte == '\\';
  }
  return found != 0;
}

/// Returns whether `text` starts with U+2028 or U+2029.
bool starts_with_separator(std::string_view text) noexcept {
  return text.starts_with("\u2028") || text.starts_with("\u2029");
}

std::string_view escape_of(char letter) {
  switch (letter) {
    case '"':
      return R"(\")";
    case '\\':
      return R"(\\)";
    case '\b':
      return R"(\b)";
    case '\f':
      return R"(\f)";
    case '\n':
      return R"(\n)";
    case '\r':
      return R"(\r)";
    case '\t':
      return R"(\t)";
    default:
      return {};
  }
}

} // namespace

std::size_t plain_bytes(std::string_view text, bool& is_ascii) noexcept {
  std::size_t at = 0;
  while (at + block_bytes <= text.size() && !needs_care(text.data() + at))
    at += block_bytes;
  for (; at < text.size(); ++at) {
    const auto byte = static_cast<signed char>(text[at]);
    if (byte >= 0x20 && byte != '"' && byte != '\\')
      continue;
    if (byte >= 0)
      return at;
    is_ascii = false;
    if (text[at] == '\xE2' && starts_with_separator(text.substr(at)))
      return at;
  }
  return at;
}

std::string_view take_escaped(std::string_view& text, escape_room& room) {
  if (starts_with_separator(text)) {
    const auto is_first = text[2] == '\xA8';
    text.remove_prefix(3);
    return is_first ? R"(\u2028)" : R"(\u2029)";
  }
  const auto letter = text.front();
  text.remove_prefix(1);
  if (const auto escape = escape_of(letter); !escape.empty())
    return escape;
  constexpr std::string_view digits = "0123456789abcdef";
  const auto code = static_cast<unsigned char>(letter);
  room = {'\\', 'u', '0', '0', digits[code >> 4], digits[code & 0x0F]};
  return {room.data(), room.size()};
}

std::string_view print_double(double number, std::array<char, 32>& room) {
  auto* end = std::to_chars(room.data(), room.data() + room.size(), number).ptr;
  const std::string_view digits{room.data(),
                                static_cast<std::size_t>(end - room.data())};
  if (digits.find_first_of(".e") != std::string_view::npos)
    return digits;
  *end++ = '.';
  *end++ = '0';
  return {room.data(), digits.size() + 2};
}

} // namespace caf_mcp
