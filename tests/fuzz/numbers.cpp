#include "caf_mcp/messages/json/json_document.hpp"
#include "caf_mcp/messages/json/json_writer.hpp"
#include "caf_mcp/messages/json/number_spellings.hpp"
#include "caf_mcp/messages/json/payload.hpp"

#include "tests/fuzz/require.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

namespace caf_mcp {

namespace {

/// Returns whether two doubles are the same, to the last bit.
bool is_same(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

double value_of(const boost::json::value& number) {
  return number.to_number<double>();
}

/// A text that JSON allows is read as `strtod` reads it, and written so that it
/// is read as the same number again.
void check_reading(const std::string& text) {
  if (text.find_first_of(" \t\r\n") != std::string::npos)
    return; // JSON allows it around a number, but not in one
  const auto read = parse_payload(text);
  if (!read || !read.value().is_number())
    return;
  const auto expected = std::strtod(text.c_str(), nullptr);
  REQUIRE(is_same(read_double(text), expected));
  if (read.value().is_double())
    REQUIRE(is_same(read.value().get_double(), expected));
  else if (expected != 0) // "-0" is an integer
    REQUIRE(value_of(read.value()) == expected);
  const auto written = read.to_json();
  REQUIRE(is_same(std::strtod(written.c_str(), nullptr), expected));
  const auto again = parse_payload(written);
  REQUIRE(again);
  REQUIRE(again.value().kind() == read.value().kind());
  REQUIRE(again.to_json() == written);
}

/// A double is written so that `strtod` reads it, with as few digits as the
/// standard library needs.
void check_writing(double number) {
  if (!std::isfinite(number))
    return;
  std::array<char, 32> room;
  const std::string written{print_double(number, room)};
  REQUIRE(is_same(std::strtod(written.c_str(), nullptr), number));
  const auto read = parse_payload(written);
  REQUIRE(read);
  REQUIRE(read.value().is_double());
  REQUIRE(is_same(read.value().get_double(), number));
  REQUIRE(read.to_json() == written);
}

} // namespace

} // namespace caf_mcp

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  double number = 0;
  if (size >= sizeof number) {
    std::memcpy(&number, data, sizeof number);
    caf_mcp::check_writing(number);
  }
  std::string text(size, '\0');
  if (size > 0)
    std::memcpy(text.data(), data, size);
  if (text.find('\0') == std::string::npos)
    caf_mcp::check_reading(text);
  return 0;
}
