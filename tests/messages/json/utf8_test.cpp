#include "caf_mcp/messages/json/utf8.hpp"

#include <catch2/catch_test_macros.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace caf_mcp {

namespace {

unsigned char byte_at(std::string_view text, std::size_t at) {
  return static_cast<unsigned char>(text[at]);
}

/// How many bytes a lead byte announces, by its bits alone; 0 if it is none.
std::size_t announced_bytes(unsigned char lead) {
  if (lead < 0x80)
    return 1;
  if ((lead & 0xE0) == 0xC0)
    return 2;
  if ((lead & 0xF0) == 0xE0)
    return 3;
  return (lead & 0xF8) == 0xF0 ? 4 : 0;
}

/// Decodes code points and judges their values: another way than the tables of
/// the code under test.
bool is_valid_by_value(std::string_view text) {
  constexpr std::array<std::uint32_t, 5> least{0, 0, 0x80, 0x800, 0x10000};
  while (!text.empty()) {
    auto bytes = announced_bytes(byte_at(text, 0));
    if (bytes == 0 || bytes > text.size())
      return false;
    auto value = std::uint32_t{byte_at(text, 0)};
    if (bytes > 1)
      value &= 0xFFU >> (bytes + 1);
    for (std::size_t i = 1; i < bytes; ++i) {
      if ((byte_at(text, i) & 0xC0) != 0x80)
        return false;
      value = value << 6 | (byte_at(text, i) & 0x3FU);
    }
    if (value < least.at(bytes) || value > 0x10FFFF
        || (value >= 0xD800 && value <= 0xDFFF))
      return false;
    text.remove_prefix(bytes);
  }
  return true;
}

/// Bytes around every bound in RFC 3629.
constexpr std::array<unsigned char, 16> telling_bytes{
  0x00, 0x41, 0x7F, 0x80, 0x81, 0x8F, 0x90, 0x9F,
  0xA0, 0xBF, 0xC0, 0xC2, 0xE0, 0xED, 0xF0, 0xFF};

template <class... Bytes>
void compare(Bytes... bytes) {
  const std::string text{static_cast<char>(bytes)...};
  if (is_valid_utf8(text) != is_valid_by_value(text)) {
    INFO("bytes " << std::hex << ((std::to_string(bytes) + ' ') + ...));
    CHECK(is_valid_utf8(text) == is_valid_by_value(text));
  }
}

} // namespace

TEST_CASE("UTF-8 of every length is valid", "[utf8]") {
  CHECK(is_valid_utf8(""));
  CHECK(is_valid_utf8(std::string_view{"\0", 1}));
  CHECK(is_valid_utf8("plain text that is longer than one machine word"));
  CHECK(is_valid_utf8("\x7F\u0080\u07FF\u0800\uD7FF\uE000\uFFFF"));
  CHECK(is_valid_utf8("\U00010000\U0010FFFF"));
}

TEST_CASE("overlong forms, surrogates and too large values are not valid UTF-8",
          "[utf8]") {
  CHECK_FALSE(is_valid_utf8("\xC0\x80"));
  CHECK_FALSE(is_valid_utf8("\xC1\xBF"));
  CHECK_FALSE(is_valid_utf8("\xE0\x9F\xBF"));
  CHECK_FALSE(is_valid_utf8("\xF0\x8F\xBF\xBF"));
  CHECK_FALSE(is_valid_utf8("\xED\xA0\x80"));
  CHECK_FALSE(is_valid_utf8("\xED\xBF\xBF"));
  CHECK_FALSE(is_valid_utf8("\xF4\x90\x80\x80"));
  CHECK_FALSE(is_valid_utf8("\xF8\x88\x80\x80\x80"));
}

TEST_CASE("a character that is cut off is not valid UTF-8", "[utf8]") {
  for (std::string_view text : {"\u00E9", "\u20AC", "\U0001F600"})
    for (std::size_t bytes = 1; bytes < text.size(); ++bytes) {
      CHECK_FALSE(is_valid_utf8(text.substr(0, bytes)));
      CHECK_FALSE(is_valid_utf8(text.substr(bytes)));
      CHECK_FALSE(is_valid_utf8(std::string{text.substr(0, bytes)} + "a"));
    }
}

TEST_CASE("all sequences of one to three bytes are judged by their value",
          "[utf8]") {
  for (unsigned a = 0; a < 256; ++a) {
    compare(a);
    for (unsigned b = 0; b < 256; ++b) {
      compare(a, b);
      for (unsigned c : telling_bytes)
        compare(a, b, c);
    }
  }
}

TEST_CASE("sequences of four bytes are judged by their value", "[utf8]") {
  for (unsigned a = 0xE0; a < 256; ++a)
    for (unsigned b = 0; b < 256; ++b)
      for (unsigned c : telling_bytes)
        for (unsigned d : telling_bytes)
          compare(a, b, c, d);
}

TEST_CASE("a bad byte is found at any place in a text", "[utf8]") {
  for (std::size_t bytes = 1; bytes < 40; ++bytes)
    for (std::size_t at = 0; at < bytes; ++at) {
      auto text = std::string(bytes, 'x');
      text[at] = '\xFF';
      CHECK_FALSE(is_valid_utf8(text));
      text.replace(at, 1, "\u20AC");
      CHECK(is_valid_utf8(text));
    }
}

TEST_CASE("valid UTF-8 is kept as it is", "[utf8]") {
  CHECK(to_valid_utf8("") == "");
  CHECK(to_valid_utf8("caf\u00E9 \U0001F600\n") == "caf\u00E9 \U0001F600\n");
}

TEST_CASE("what is not valid UTF-8 is replaced and the rest kept", "[utf8]") {
  CHECK(to_valid_utf8("caf\xE9!") == "caf\uFFFD!");
  CHECK(to_valid_utf8("\xFF") == "\uFFFD");
  CHECK(to_valid_utf8("a\xC0\x80z") == "a\uFFFDz");
  CHECK(to_valid_utf8("\xFF\xFE") == "\uFFFD\uFFFD");
  CHECK(to_valid_utf8("\xED\xA0\x80\u00E9") == "\uFFFD\u00E9");
}

TEST_CASE("a text cut within characters keeps all whole ones", "[utf8]") {
  const std::string text = "\u20ACx\u20AC";
  CHECK(to_valid_utf8(text.substr(1)) == "\uFFFDx\u20AC");
  CHECK(to_valid_utf8(text.substr(2)) == "\uFFFDx\u20AC");
  CHECK(to_valid_utf8(text.substr(0, 6)) == "\u20ACx\uFFFD");
}

TEST_CASE("every replaced text is valid UTF-8", "[utf8]") {
  for (unsigned a : telling_bytes)
    for (unsigned b : telling_bytes)
      for (unsigned c : telling_bytes)
        for (unsigned d : telling_bytes) {
          auto text
            = to_valid_utf8({static_cast<char>(a), static_cast<char>(b),
                             static_cast<char>(c), static_cast<char>(d)});
          if (!is_valid_by_value(text) || to_valid_utf8(text) != text)
            FAIL("bytes " << a << ' ' << b << ' ' << c << ' ' << d);
        }
}

} // namespace caf_mcp
