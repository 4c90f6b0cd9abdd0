#include "json_text.hpp"

#include <boost/json/serializer.hpp>

#include <array>
#include <charconv>

namespace demo {

namespace {

bool needs_escape(char c) {
  return static_cast<unsigned char>(c) < 0x20 || c == '"' || c == '\\';
}

void put_escaped(std::string& out, char c) {
  switch (c) {
    case '"':
      out += "\\\"";
      break;
    case '\\':
      out += "\\\\";
      break;
    case '\n':
      out += "\\n";
      break;
    case '\r':
      out += "\\r";
      break;
    case '\t':
      out += "\\t";
      break;
    default: {
      constexpr std::string_view digits = "0123456789abcdef";
      const auto code = static_cast<unsigned char>(c);
      out += "\\u00";
      out += digits[code >> 4U];
      out += digits[code & 0xfU];
    }
  }
}

template <class T>
void put_chars(std::string& out, T number) {
  std::array<char, 32> digits;
  const auto end
    = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  out.append(digits.data(), end);
}

} // namespace

void put_quoted(std::string& out, std::string_view text) {
  out += '"';
  std::size_t plain = 0; // Start of what is not appended yet.
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (needs_escape(text[i])) {
      out.append(text, plain, i - plain);
      put_escaped(out, text[i]);
      plain = i + 1;
    }
  }
  out.append(text, plain);
  out += '"';
}

void put_integer(std::string& out, std::int64_t number) {
  put_chars(out, number);
}

void put_number(std::string& out, double number) {
  put_chars(out, number);
}

void put_value(std::string& out, const json::value& value) {
  json::serializer source;
  source.reset(&value);
  std::array<char, 4096> chunk;
  while (!source.done())
    out += source.read(chunk.data(), chunk.size());
}

std::string to_text(const json::value& value) {
  std::string text;
  if (const auto* number = value.if_int64())
    put_integer(text, *number);
  else
    put_value(text, value);
  return text;
}

} // namespace demo
