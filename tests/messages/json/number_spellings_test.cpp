#include "caf_mcp/messages/json/number_spellings.hpp"

#include "caf_mcp/messages/json/payload.hpp"
#include "caf_mcp/messages/wire/decoder.hpp"
#include "caf_mcp/messages/wire/encoder.hpp"

#include <boost/json/value.hpp>
#include <catch2/catch_test_macros.hpp>

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <variant>
#include <vector>

namespace caf_mcp {

namespace {

/// Numbers that a value of Boost.JSON does not hold.
const std::vector<std::string> beyond{
  "123456789012345678901",
  "-123456789012345678901",
  "18446744073709551616",
  "-9223372036854775809",
  "1e999",
  "-1E+999",
  "1e-999",
  "0.1000000000000000055511151231257827",
  "-0",
  "12345678901234567890123456789.5",
};

std::string sent(const payload& params) {
  encoder writer;
  byte_buffer out;
  REQUIRE(writer.encode(outgoing_notification{"n", params}, out)
          == encode_result::written);
  return std::string{out.view()};
}

incoming_response response(const std::string& line) {
  decoder reader;
  auto message = reader.decode(line);
  REQUIRE(message);
  return std::get<incoming_response>(*message);
}

} // namespace

TEST_CASE("doubles are read and written to the last bit",
          "[number_spellings]") {
  std::mt19937_64 random{7};
  for (auto run = 0; run < 100'000; ++run) {
    auto number = std::bit_cast<double>(random());
    if (run % 2 == 0)
      number = std::generate_canonical<double, 53>(random);
    if (!std::isfinite(number))
      continue;
    auto text = std::to_string(number);
    text.resize(40);
    text.resize(static_cast<std::size_t>(
      std::snprintf(text.data(), text.size(), "%.17g", number)));
    if (text.find_first_of(".e") == std::string::npos)
      text += ".0";
    const auto read = parse_payload(text);
    REQUIRE(read);
    REQUIRE(read.value().as_double() == number);
    REQUIRE(std::strtod(read.to_json().c_str(), nullptr) == number);
  }
}

TEST_CASE("a number is read as strtod reads it", "[number_spellings]") {
  for (const std::string text :
       {"1e999", "-1e999", "0e9999", "-0e9999", "1e-999", "-1e-999", "0.0",
        "4.9e-324", "2e-324", "2.4703282292062327e-324", "1.8e308",
        "1.7976931348623157e308", "1.7976931348623159e308",
        "9007199254740993.0", "1e23", "2.2250738585072011e-308"}) {
    INFO(text);
    const auto expected = std::strtod(text.c_str(), nullptr);
    CHECK(read_double(text) == expected);
    CHECK(std::signbit(read_double(text)) == std::signbit(expected));
  }
}

TEST_CASE("numbers beyond 64 bits and beyond a double are passed on as they "
          "were received",
          "[number_spellings]") {
  for (const auto& number : beyond) {
    const auto text = R"({"a":[)" + number + R"(],"b":)" + number + "}";
    INFO(text);
    CHECK(parse_payload(number).to_json() == number);
    const auto whole = parse_payload(text);
    CHECK(whole.to_json() == text);
    CHECK(whole.member("a").to_json() == '[' + number + ']');
    CHECK(whole.member("b").to_json() == number);
    CHECK(sent(whole)
          == R"({"jsonrpc":"2.0","method":"n","params":)" + text + "}\n");
    const auto plain
      = response(R"({"jsonrpc":"2.0","id":1,"result":)" + text + '}');
    CHECK(plain.result.to_json() == text);
    const auto other
      = response(R"({ "jsonrpc":"2.0","id":1,"result":)" + text + '}');
    CHECK(other.result.to_json() == text);
  }
}

TEST_CASE("a number that was spelled has its nearest value",
          "[number_spellings]") {
  CHECK(parse_payload("123456789012345678901").value().as_double()
        == 1.2345678901234568e20);
  CHECK(std::isinf(parse_payload("1e999").value().as_double()));
  CHECK(parse_payload("-0").value().as_int64() == 0);
  CHECK(parse_payload("0e9999").value().as_double() == 0.0);
}

TEST_CASE("the last of members with one key keeps its digits",
          "[number_spellings]") {
  CHECK(parse_payload(R"({"a":1e999,"a":[2e999,3],"b":4e999})").to_json()
        == R"({"a":[2e999,3],"b":4e999})");
}

TEST_CASE("a document of ordinary numbers keeps no texts of them",
          "[number_spellings]") {
  CHECK(
    parse_payload("[0,-1,0.1,1e22,18446744073709551615,0e0,-0.0]").spellings()
    == nullptr);
  CHECK(parse_payload("[50.0,50,-0.0]").to_json() == "[50.0,50,-0.0]");
}

TEST_CASE("an object is composed of payloads with their digits",
          "[number_spellings]") {
  const auto big = parse_payload("123456789012345678901");
  const std::vector<payload_member> members{
    {"a \"b\"", big}, {"c", parse_payload("1")}, {"c", big}, {"d", {}}};
  CHECK(compose_object(members).to_json()
        == R"({"a \"b\"":123456789012345678901,"c":123456789012345678901})");
  CHECK(compose_object({}).to_json() == "{}");
}

} // namespace caf_mcp
