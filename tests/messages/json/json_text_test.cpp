#include "caf_mcp/messages/json/json_text.hpp"

#include "tests/support/json_generator.hpp"

#include <boost/json/parse.hpp>
#include <catch2/catch_test_macros.hpp>

#include <limits>

namespace caf_mcp {

namespace {

constexpr auto infinite = std::numeric_limits<double>::infinity();
constexpr auto nan = std::numeric_limits<double>::quiet_NaN();

} // namespace

TEST_CASE("numbers that are not finite are found at any depth", "[json_text]") {
  CHECK(is_finite(nullptr));
  CHECK(is_finite(1e308));
  CHECK(is_finite({1, "NaN", {{"a", 2.5}}}));
  for (auto number : {infinite, -infinite, nan}) {
    CHECK_FALSE(is_finite(number));
    CHECK_FALSE(is_finite(boost::json::array{1, number}));
    CHECK_FALSE(is_finite({1, {{"a", {2, {{"b", number}}}}}}));
  }
}

TEST_CASE("numbers that are not finite are rendered as null", "[json_text]") {
  boost::json::value value{
    {"a", infinite}, {"b", {1.5, nan, {{"c", -infinite}}}}, {"d", "NaN"}};
  CHECK(to_json_text(value)
        == R"({"a":null,"b":[1.5,null,{"c":null}],"d":"NaN"})");
  CHECK(value.at("a").as_double() == infinite);
}

TEST_CASE("text that is not valid UTF-8 is rendered replaced", "[json_text]") {
  boost::json::value value{{"caf\xE9", {"\xFF", "\u20AC"}}};
  CHECK(to_json_text(value) == "{\"caf\uFFFD\":[\"\uFFFD\",\"\u20AC\"]}");
}

TEST_CASE("all other values are rendered as they are", "[json_text]") {
  tests::json_generator generate{51};
  for (auto run = 0; run < 300; ++run) {
    auto value = generate.value(5);
    REQUIRE(boost::json::parse(to_json_text(value)) == value);
  }
}

} // namespace caf_mcp
