// An independent reader of JSON is asked what ours and our writer have done.
#include "caf_mcp/messages/wire/decoder.hpp"
#include "caf_mcp/messages/wire/encoder.hpp"

#include "tests/support/paths.hpp"
#include "tests/support/scratch_directory.hpp"
#include "tests/support/shell.hpp"

#include <catch2/catch_test_macros.hpp>

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <random>
#include <string>
#include <string_view>
#include <variant>

using namespace caf_mcp;
using namespace std::string_view_literals;

namespace {

constexpr auto documents = 100'000;

/// Parts of strings, as they stand between quotes.
constexpr std::array pieces{
  "a"sv,         "key"sv,        R"(\")"sv,      R"(\\)"sv,
  R"(\/)"sv,     R"(\b\f)"sv,    R"(\n\r\t)"sv,  R"(\u0000)"sv,
  R"(\u001F)"sv, "\x7F"sv,       R"(\u2028)"sv,  "\u2028\u2029"sv,
  "\u00E9"sv,    "\u20AC"sv,     "\U0001F600"sv, R"(\uD83D\uDE00)"sv,
  R"(\uFFFF)"sv, "\U0010FFFF"sv, R"(\u00e9)"sv,  "/"sv,
  "{[,:]}"sv,    " "sv,          "\uFEFF"sv};

constexpr std::array odd_numbers{"0"sv,
                                 "-0"sv,
                                 "0.0"sv,
                                 "-0.0"sv,
                                 "0e9999"sv,
                                 "-0E-9999"sv,
                                 "1e400"sv,
                                 "-1e400"sv,
                                 "1e-400"sv,
                                 "4.9e-324"sv,
                                 "2.4703282292062327e-324"sv,
                                 "2.4703282292062328e-324"sv,
                                 "2.2250738585072011e-308"sv,
                                 "2.2250738585072014e-308"sv,
                                 "1.7976931348623157e308"sv,
                                 "1.7976931348623159e308"sv,
                                 "9007199254740993"sv,
                                 "9007199254740993.0"sv,
                                 "9223372036854775807"sv,
                                 "9223372036854775808"sv,
                                 "-9223372036854775808"sv,
                                 "-9223372036854775809"sv,
                                 "18446744073709551615"sv,
                                 "18446744073709551616"sv,
                                 "123456789012345678901234567890"sv,
                                 "0.1000000000000000055511151231257827"sv,
                                 "0.1"sv,
                                 "1E0"sv,
                                 "1e+2"sv,
                                 "1.50"sv,
                                 "100000000000000000000000.0"sv};

/// Makes up JSON texts, the same ones for the same seed, spelled in all the
/// ways that JSON allows. None has a line feed.
class text_generator {
public:
  explicit text_generator(std::uint64_t seed) : random_{seed} {
    // nop
  }

  std::string document() {
    if (one_in(500))
      return nested(400);
    auto result = value(4);
    if (one_in(5))
      break_up(result);
    return result;
  }

private:
  std::size_t below(std::size_t end) {
    return random_() % end;
  }

  bool one_in(std::size_t n) {
    return below(n) == 0;
  }

  std::string space() {
    return one_in(8) ? " \t " : "";
  }

  std::string digits(std::size_t most) {
    std::string result;
    for (auto left = 1 + below(most); left > 0; --left)
      result += static_cast<char>('0' + below(10));
    return result;
  }

  /// Any digits, with or without a fraction and an exponent.
  std::string made_up_number() {
    std::string result{one_in(2) ? "-" : ""};
    if (one_in(3))
      result += '0';
    else
      result += static_cast<char>('1' + below(9)) + digits(25);
    if (one_in(2))
      result += '.' + digits(25);
    if (one_in(3))
      result += (one_in(2) ? "e" : "E-") + digits(3);
    return result;
  }

  /// A double of any bits, subnormal or not, with 17 digits.
  std::string any_double() {
    auto number = std::bit_cast<double>(random_());
    if (!std::isfinite(number))
      number = 0.5;
    if (one_in(3))
      number = static_cast<double>(random_() >> 11U) * 0x1p-53;
    std::array<char, 40> room;
    const auto length
      = std::snprintf(room.data(), room.size(), "%.17g", number);
    return {room.data(), static_cast<std::size_t>(length)};
  }

  std::string number() {
    switch (below(4)) {
      case 0:
        return std::string{odd_numbers.at(below(odd_numbers.size()))};
      case 1:
        return made_up_number();
      case 2:
        return any_double();
      default:
        return std::to_string(static_cast<std::int64_t>(random_()));
    }
  }

  std::string text() {
    std::string result{"\""};
    for (auto left = below(4); left > 0; --left)
      result += pieces.at(below(pieces.size()));
    return result + '"';
  }

  /// Keys come more than once.
  std::string key() {
    return one_in(2) ? R"("k)" + std::to_string(below(3)) + '"' : text();
  }

  std::string value(std::size_t depth) {
    switch (below(depth == 0 ? 5 : 8)) {
      case 0:
        return std::array{"null", "true", "false"}.at(below(3));
      case 1:
        return text();
      case 2:
      case 3:
      case 4:
        return number();
      case 5:
        return list('[', ']', [&] { return value(depth - 1); });
      default:
        return list('{', '}', [&] {
          return key() + space() + ':' + space() + value(depth - 1);
        });
    }
  }

  template <class Make>
  std::string list(char open, char close, Make make) {
    std::string result{open};
    for (auto count = below(4), i = std::size_t{0}; i < count; ++i)
      result += (i == 0 ? "" : ",") + space() + make() + space();
    return result + close;
  }

  std::string nested(std::size_t depth) {
    std::string front;
    std::string back;
    for (; depth > 0; --depth) {
      const auto is_array = one_in(2);
      front += is_array ? "[" : R"({"a":)";
      back += is_array ? ']' : '}';
    }
    return front + number() + std::string{back.rbegin(), back.rend()};
  }

  /// Changes a byte; the result may be no JSON.
  void break_up(std::string& text) {
    constexpr auto bytes
      = "\"\\{}[],:0123456789.eE+-utnfalsrbNI \t\r\x01\x1F\x7F\x80\xBF\xC2\xE2\xED\xF0\xFF"sv;
    const auto at = below(text.size());
    const auto byte = bytes[below(bytes.size())];
    switch (below(3)) {
      case 0:
        text[at] = byte;
        break;
      case 1:
        text.insert(at, 1, byte);
        break;
      default:
        text.erase(at, 1);
    }
  }

  std::mt19937_64 random_;
};

/// Returns the message that is written after `line` was read, or nothing where
/// it was refused.
std::string pass_on(decoder& reader, const std::string& line) {
  auto message = reader.decode(line);
  if (!message || !std::holds_alternative<incoming_response>(*message))
    return {};
  auto& result = std::get<incoming_response>(*message).result;
  byte_buffer out;
  if (!result
      || encoder{}.encode(outgoing_response{"1", std::move(result)}, out)
           != encode_result::written)
    return {};
  auto text = std::string{out.view()};
  text.pop_back();
  return text;
}

} // namespace

TEST_CASE("Python reads what is passed on as it reads what was sent",
          "[decoder][encoder]") {
  constexpr std::uint64_t seed = 20'261'202;
  CAPTURE(seed);
  const tests::scratch_directory directory;
  const auto sent = directory.path() + "/sent";
  const auto passed_on = directory.path() + "/passed-on";
  {
    std::ofstream sent_lines{sent, std::ios::binary};
    std::ofstream passed_on_lines{passed_on, std::ios::binary};
    text_generator texts{seed};
    decoder reader;
    for (auto i = 0; i < documents; ++i) {
      const auto line
        = R"({"jsonrpc":"2.0","id":1,"result":)" + texts.document() + '}';
      sent_lines << line << '\n';
      passed_on_lines << pass_on(reader, line) << '\n';
    }
  }
  const auto compared = tests::run_shell(
    "python3 " + tests::test_file("messages/wire/json_differential.py") + ' '
    + sent + ' ' + passed_on);
  CHECK(compared.out == std::to_string(documents) + " lines agree\n");
}
