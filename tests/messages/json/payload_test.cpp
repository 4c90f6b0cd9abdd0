#include "caf_mcp/messages/json/payload.hpp"

#include "caf_mcp/messages/json/json_document.hpp"

#include <boost/json/array.hpp>
#include <catch2/catch_test_macros.hpp>

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace caf_mcp {

TEST_CASE("a new payload is absent", "[payload]") {
  payload absent;
  CHECK_FALSE(absent);
  CHECK(absent.value().is_null());
  CHECK(absent.if_object() == nullptr);
  CHECK(absent.to_json() == "");
  CHECK_FALSE(absent.member("a"));
  CHECK(absent.string_member("a").empty());
}

TEST_CASE("a payload of JSON null is not absent", "[payload]") {
  payload null{boost::json::value(nullptr)};
  CHECK(null);
  CHECK(null.value().is_null());
  CHECK(null.to_json() == "null");
  CHECK_FALSE(null == payload{});
}

TEST_CASE("an empty pointer makes an absent payload", "[payload]") {
  CHECK_FALSE(payload{std::shared_ptr<const boost::json::value>{}});
}

TEST_CASE("a member of a payload is a payload of the same document",
          "[payload]") {
  auto whole = parse_payload(R"({"a":{"b":[1]},"n":null})");
  auto part = whole.member("a").member("b");
  CHECK(&part.value() == &whole.value().at("a").at("b"));
  whole = payload{};
  CHECK(part.to_json() == "[1]");
}

TEST_CASE("a member may be null, which differs from a missing one",
          "[payload]") {
  auto whole = parse_payload(R"({"n":null})");
  CHECK(whole.member("n"));
  CHECK(whole.member("n").value().is_null());
  CHECK_FALSE(whole.member("m"));
  CHECK_FALSE(parse_payload("[1]").member("n"));
  CHECK_FALSE(parse_payload("\"n\"").member("n"));
}

TEST_CASE("a string member is a view, empty for all that is no string",
          "[payload]") {
  auto whole = parse_payload(R"({"s":"text","n":1,"o":{},"e":""})");
  CHECK(whole.string_member("s") == "text");
  for (auto key : {"n", "o", "e", "missing"})
    CHECK(whole.string_member(key).empty());
  CHECK(parse_payload("[]").string_member("s").empty());
}

TEST_CASE("only a payload that holds an object returns one", "[payload]") {
  CHECK(parse_payload("{}").if_object() != nullptr);
  CHECK(parse_payload("[{}]").if_object() == nullptr);
  CHECK(payload{boost::json::object{{"a", 1}}}.if_object()->size() == 1);
}

TEST_CASE("payloads are equal when their JSON is", "[payload]") {
  auto one = parse_payload(R"({"a":[1,"x"],"b":null})");
  auto same = parse_payload(R"({"b":null, "a":[1,"x"]})");
  auto other = parse_payload(R"({"a":[1,"y"],"b":null})");
  const auto& itself = one;
  CHECK(one == itself);
  CHECK(one == same);
  CHECK_FALSE(one == other);
  CHECK_FALSE(one == payload{});
  CHECK_FALSE(payload{} == one);
  CHECK(payload{} == payload{});
}

TEST_CASE("copies of a payload share its document", "[payload]") {
  auto one = parse_payload("[1]");
  std::vector copies(3, one);
  CHECK(&copies.front().value() == &one.value());
  CHECK(&copies.back().value() == &one.value());
}

TEST_CASE("a payload that was moved from is absent", "[payload]") {
  auto one = parse_payload("[1]");
  auto moved = std::exchange(one, payload{});
  CHECK_FALSE(one);
  CHECK(moved.to_json() == "[1]");
}

TEST_CASE("a text that is one JSON value becomes a payload", "[payload]") {
  for (std::string text : {"null", "true", "0", "-5", "\"\"", "[]", "{}",
                           "18446744073709551615", R"(["\u0001",{"a":[]}])"})
    CHECK(parse_payload(text).to_json() == text);
  CHECK(parse_payload(" [ 1 ] \n").to_json() == "[1]");
}

TEST_CASE("all other texts become an absent payload", "[payload]") {
  for (auto text : {"", " ", "x", "[1", "[1]]", "1 2", "NaN", "'a'", "{a:1}",
                    "[1,]", "\"\xFF\"", "// no\n1"}) {
    INFO(text);
    CHECK_FALSE(parse_payload(text));
  }
}

TEST_CASE("a text may be as deep as the deepest message", "[payload]") {
  auto nested = [](std::size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
  };
  CHECK(parse_payload(nested(json_depth_limit)));
  CHECK_FALSE(parse_payload(nested(json_depth_limit + 1)));
}

TEST_CASE("a JSON reader says why it refused a text", "[payload]") {
  json_reader reader;
  CHECK(reader.read("[1]"));
  CHECK_FALSE(reader.error());
  CHECK_FALSE(reader.read("[1"));
  CHECK(reader.error());
  CHECK(reader.read("[2]"));
  CHECK_FALSE(reader.error());
}

TEST_CASE("a value copied out of a payload outlives it", "[payload]") {
  auto source = parse_payload(R"({"a":["a text that needs memory"]})");
  auto copy = source.value();
  boost::json::array items = source.value().at("a").as_array();
  source = payload{};
  copy.as_object()["b"] = std::string(100, 'x');
  items.push_back(copy);
  CHECK(items.size() == 2);
  CHECK(items[0] == "a text that needs memory");
}

TEST_CASE("a copied value can become a payload of its own", "[payload]") {
  auto source = parse_payload(R"({"a":["a text that needs memory"]})");
  payload made{source.value()};
  CHECK(&made.value() != &source.value());
  source = payload{};
  CHECK(made.to_json() == R"({"a":["a text that needs memory"]})");
}

} // namespace caf_mcp
