#include "printable.hpp"

#include "caf_mcp/messages/json/excerpt.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace caf_mcp::tool {

namespace {

constexpr std::string_view white_space = " \t\r\n\v\f";

constexpr std::string_view hex_digits = "0123456789abcdef";

/// Returns the bytes of the colour sequence (`ESC [ 1 ; 31 m`) at the front of
/// `text`, or 0.
std::size_t colour_bytes(std::string_view text) noexcept {
  if (!text.starts_with("\x1b["))
    return 0;
  auto end = text.find_first_not_of("0123456789;:", 2);
  return end != std::string_view::npos && text[end] == 'm' ? end + 1 : 0;
}

/// Returns the bytes of the character that starts with `first`, in valid UTF-8.
std::size_t character_bytes(unsigned char first) noexcept {
  if (first < 0x80)
    return 1;
  if (first < 0xE0)
    return 2;
  return first < 0xF0 ? 3 : 4;
}

/// Decodes one character of two or three bytes; 0 for all others, none of
/// which is a control character.
std::uint32_t decode(std::string_view character) noexcept {
  auto byte = [character](std::size_t i) {
    return static_cast<std::uint32_t>(static_cast<unsigned char>(character[i]));
  };
  if (character.size() == 2)
    return (byte(0) & 0x1FU) << 6U | (byte(1) & 0x3FU);
  if (character.size() == 3)
    return (byte(0) & 0x0FU) << 12U | (byte(1) & 0x3FU) << 6U
           | (byte(2) & 0x3FU);
  return 0;
}

/// Unicode's C1 controls, line and paragraph separators, and the controls of
/// bidirectional text, with which text can pose as another.
bool is_control(std::uint32_t code) noexcept {
  struct range {
    std::uint32_t first;
    std::uint32_t last;
  };
  constexpr std::array<range, 5> controls{{{0x80, 0x9F},
                                           {0x061C, 0x061C},
                                           {0x200E, 0x200F},
                                           {0x2028, 0x202E},
                                           {0x2066, 0x2069}}};
  return std::any_of(controls.begin(), controls.end(), [code](range r) {
    return code >= r.first && code <= r.last;
  });
}

void append_escaped(std::string& to, std::uint32_t code) {
  to += code > 0xFF ? "\\u" : "\\x";
  for (auto shift = code > 0xFF ? 12U : 4U;; shift -= 4U) {
    to += hex_digits[(code >> shift) & 0xFU];
    if (shift == 0)
      return;
  }
}

void append_byte(std::string& to, unsigned char byte) {
  const auto is_layout = byte == '\n' || byte == '\t';
  if ((byte < 0x20 && !is_layout) || byte == 0x7F)
    append_escaped(to, byte);
  else
    to += static_cast<char>(byte);
}

} // namespace

std::string printable(std::string_view text) {
  const auto valid = to_valid_utf8(text);
  auto rest = std::string_view{valid};
  std::string result;
  result.reserve(rest.size());
  while (!rest.empty()) {
    if (auto colour = colour_bytes(rest); colour > 0) {
      rest.remove_prefix(colour);
      continue;
    }
    if (rest.starts_with("\r\n")) {
      rest.remove_prefix(1);
      continue;
    }
    auto first = static_cast<unsigned char>(rest.front());
    auto character = rest.substr(0, character_bytes(first));
    rest.remove_prefix(character.size());
    if (character.size() == 1)
      append_byte(result, first);
    else if (auto code = decode(character); is_control(code))
      append_escaped(result, code);
    else
      result += character;
  }
  return result;
}

std::string one_line(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    auto begin = text.find_first_not_of(white_space);
    if (begin == std::string_view::npos)
      break;
    if (begin > 0 && !result.empty())
      result += ' ';
    text.remove_prefix(begin);
    auto word = text.substr(0, text.find_first_of(white_space));
    result += word;
    text.remove_prefix(word.size());
  }
  return printable(result);
}

std::size_t columns(std::string_view text) noexcept {
  return static_cast<std::size_t>(
    std::count_if(text.begin(), text.end(), [](char c) {
      return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
    }));
}

} // namespace caf_mcp::tool
