#include "caf_mcp/messages/json/utf8.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace caf_mcp {

namespace {

/// What may follow a lead byte: how many bytes, and the bounds of the first of
/// them (RFC 3629, section 4).
struct continuation {
  std::size_t bytes;
  unsigned char first_min;
  unsigned char first_max;
};

continuation after(unsigned char lead) noexcept {
  if (lead >= 0xC2 && lead <= 0xDF)
    return {1, 0x80, 0xBF};
  if (lead == 0xE0)
    return {2, 0xA0, 0xBF};
  if (lead == 0xED)
    return {2, 0x80, 0x9F};
  if (lead >= 0xE1 && lead <= 0xEF)
    return {2, 0x80, 0xBF};
  if (lead == 0xF0)
    return {3, 0x90, 0xBF};
  if (lead >= 0xF1 && lead <= 0xF3)
    return {3, 0x80, 0xBF};
  if (lead == 0xF4)
    return {3, 0x80, 0x8F};
  return {0, 0, 0};
}

/// Returns the position of the first byte at or behind `at` that may not be
/// ASCII; looks at 64 bytes at a time, then at eight. The inner loop has one
/// result for all bytes, which compilers make vector instructions of.
std::size_t skip_ascii(std::string_view text, std::size_t at) noexcept {
  constexpr std::size_t block_bytes = 64;
  for (; at + block_bytes <= text.size(); at += block_bytes) {
    unsigned char seen = 0;
    for (std::size_t i = 0; i < block_bytes; ++i)
      seen |= static_cast<unsigned char>(text[at + i]);
    if (seen >= 0x80)
      break;
  }
  constexpr std::uint64_t high_bits = 0x8080808080808080ULL;
  for (; at + sizeof(std::uint64_t) <= text.size(); at += 8) {
    std::uint64_t chunk;
    std::memcpy(&chunk, text.data() + at, sizeof(chunk));
    if ((chunk & high_bits) != 0)
      break;
  }
  return at;
}

bool is_continuation(char byte) noexcept {
  return (static_cast<unsigned char>(byte) & 0xC0) == 0x80;
}

/// Returns the size of the longest valid text that `text` starts with.
std::size_t valid_bytes(std::string_view text) noexcept {
  for (std::size_t at = 0;;) {
    at = skip_ascii(text, at);
    if (at == text.size())
      return at;
    auto lead = static_cast<unsigned char>(text[at]);
    if (lead < 0x80) {
      ++at;
      continue;
    }
    auto expected = after(lead);
    if (expected.bytes == 0 || text.size() - at <= expected.bytes)
      return at;
    auto first = static_cast<unsigned char>(text[at + 1]);
    if (first < expected.first_min || first > expected.first_max)
      return at;
    for (std::size_t i = 2; i <= expected.bytes; ++i)
      if (!is_continuation(text[at + i]))
        return at;
    at += 1 + expected.bytes;
  }
}

} // namespace

bool is_valid_utf8(std::string_view text) noexcept {
  return valid_bytes(text) == text.size();
}

std::string to_valid_utf8(std::string text) {
  constexpr std::string_view replacement = "\xEF\xBF\xBD";
  auto valid = valid_bytes(text);
  if (valid == text.size())
    return text;
  std::string result;
  auto rest = std::string_view{text};
  while (valid < rest.size()) {
    result += rest.substr(0, valid);
    result += replacement;
    rest.remove_prefix(valid + 1);
    while (!rest.empty() && is_continuation(rest.front()))
      rest.remove_prefix(1);
    valid = valid_bytes(rest);
  }
  result += rest;
  return result;
}

} // namespace caf_mcp
