#include "apps/caf-mcp/arguments.hpp"

#include "caf_mcp/messages/error_info.hpp"

#include "tests/support/scratch_directory.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <fstream>

using caf_mcp::parse_payload;
using caf_mcp::tool::compose_arguments;
using caf_mcp::tool::missing_keys;
using caf_mcp::tool::read_text_arguments;
using caf_mcp::tool::split_arguments;
using caf_mcp::tool::value_schema;
using Catch::Matchers::ContainsSubstring;

namespace {

using words = std::vector<std::string>;

/// Returns the arguments as JSON, or the message of the error.
std::string read(const words& typed, const char* schema) {
  auto split = split_arguments(typed);
  REQUIRE(split);
  auto result = compose_arguments(*split, value_schema{parse_payload(schema)});
  return result ? result->to_json() : caf_mcp::describe(result.error()).message;
}

/// Reads the one argument `a` by the schema of `a`.
std::string read_a(const std::string& text, const std::string& schema) {
  return read({"a=" + text},
              (R"({"properties":{"a":)" + schema + "}}").c_str());
}

std::string refusal(const words& typed) {
  auto split = split_arguments(typed);
  REQUIRE_FALSE(split);
  return caf_mcp::describe(split.error()).message;
}

} // namespace

TEST_CASE("a text is read as the type that the schema names", "[tool]") {
  struct sample {
    const char* schema;
    const char* text;
    const char* value;
  };
  const auto& [schema, text, value] = GENERATE(values<sample>({
    {R"({"type":"string"})", "5", R"("5")"},
    {R"({"type":"string"})", "", R"("")"},
    {R"({"type":"integer"})", "5", "5"},
    {R"({"type":"integer"})", "-7", "-7"},
    {R"({"type":"integer"})", "123456789012345678901", "123456789012345678901"},
    {R"({"type":"number"})", "0.1", "0.1"},
    {R"({"type":"number"})", "121.48886955472557", "121.48886955472557"},
    {R"({"type":"boolean"})", "true", "true"},
    {R"({"type":"boolean"})", "false", "false"},
    {R"({"type":"null"})", "null", "null"},
    {R"({"type":"array"})", R"([1,"b"])", R"([1,"b"])"},
    {R"({"items":{}})", "[]", "[]"},
    {R"({"type":"object"})", R"({"b":1})", R"({"b":1})"},
    {R"({"enum":["red",1,null]})", "red", R"("red")"},
    {R"({"enum":["red",1,null]})", "1", "1"},
    {R"({"enum":["red",1,null]})", "null", "null"},
    {R"({"enum":["1",1]})", "1", R"("1")"},
    {R"({"const":2.5})", "2.5", "2.5"},
    {R"({})", "5", R"("5")"},
    {"true", "5", R"("5")"},
    {R"({"$ref":"https://elsewhere"})", "5", R"("5")"},
    {R"({"$ref":"#/properties/a"})", "5", R"("5")"},
  }));
  CHECK(read_a(text, schema) == R"({"a":)" + std::string{value} + '}');
}

TEST_CASE("a union is tried in the order of the schema", "[tool]") {
  CHECK(read_a("5", R"({"type":["integer","string"]})") == R"({"a":5})");
  CHECK(read_a("x", R"({"type":["integer","string"]})") == R"({"a":"x"})");
  CHECK(read_a("5", R"({"type":["string","integer"]})") == R"({"a":"5"})");
  auto key = GENERATE(as<std::string>{}, "anyOf", "oneOf");
  const auto schema
    = "{\"" + key
      + R"(":[{"type":"integer"},{"type":"null"},{"enum":["all"]}]})";
  CHECK(read_a("5", schema) == R"({"a":5})");
  CHECK(read_a("null", schema) == R"({"a":null})");
  CHECK(read_a("all", schema) == R"({"a":"all"})");
  CHECK(read_a("some", schema)
        == "a: is \"some\"; must be an integer or null or all");
}

TEST_CASE("what does not fit is refused with key, value and type", "[tool]") {
  CHECK(read_a("x", R"({"type":"integer"})")
        == "a: is \"x\"; must be an integer");
  for (const auto* text : {"", "1.5", "1e999", "0x10", " 1", "1 ", "01", "1,2"})
    CHECK_THAT(read_a(text, R"({"type":"integer"})"),
               ContainsSubstring("must be an integer"));
  CHECK_THAT(read_a("NaN", R"({"type":"number"})"),
             ContainsSubstring("must be a number"));
  CHECK_THAT(read_a("yes", R"({"type":"boolean"})"),
             ContainsSubstring("must be a boolean, true or false"));
  CHECK_THAT(read_a("1,2", R"({"type":"array"})"),
             ContainsSubstring("must be an array"));
  CHECK_THAT(read_a("[]", R"({"type":"object"})"),
             ContainsSubstring("must be an object"));
  CHECK_THAT(read_a("blue", R"({"enum":["red","green"]})"),
             ContainsSubstring("must be one of red, green"));
}

TEST_CASE("references lead into the schema's own definitions", "[tool]") {
  const auto* schema = R"({
    "properties": {"size": {"$ref": "#/$defs/size"},
                   "colour": {"allOf": [{"$ref": "#/definitions/colour"}]}},
    "$defs": {"size": {"anyOf": [{"$ref": "#/$defs/count"}, {"type": "null"}]},
              "count": {"type": "integer"}},
    "definitions": {"colour": {"enum": ["red"]}}})";
  CHECK(read({"size=3", "colour=red"}, schema)
        == R"({"size":3,"colour":"red"})");
  CHECK_THAT(read({"size=big"}, schema),
             ContainsSubstring("must be an integer or null"));
}

TEST_CASE("a schema that refers to itself without end says nothing", "[tool]") {
  CHECK(read({"a=1"}, R"({"$ref":"#"})") == R"({"a":"1"})");
  CHECK(read({"a=1"}, R"({"allOf":[{"$ref":"#"},{"$ref":"#"}],
                          "anyOf":[{"$ref":"#"},{"$ref":"#"}]})")
        == R"({"a":"1"})");
  const auto* twice = R"({"anyOf":[{"$ref":"#/properties/a"},
                                   {"$ref":"#/properties/a"}]})";
  CHECK(read_a("1", twice) == R"({"a":"1"})");
}

TEST_CASE("a key with dots is a member of a member where there is such",
          "[tool]") {
  const auto* schema = R"({
    "properties": {"a": {"anyOf": [{"$ref": "#/$defs/p"}, {"type": "null"}]},
                   "dotted.name": {"type": "integer"},
                   "free": {"type": "object"},
                   "counts": {"type": "object",
                              "additionalProperties": {"type": "integer"}},
                   "text": {"type": "string"}},
    "additionalProperties": true,
    "$defs": {"p": {"type": "object", "additionalProperties": false,
                    "properties": {"b": {"type": "integer"},
                                   "next": {"$ref": "#/$defs/p"}}}}})";
  CHECK(read({"a.b=1", "a.next.b=2"}, schema)
        == R"({"a":{"b":1,"next":{"b":2}}})");
  CHECK(read({R"(a={"b":1})", "a.next:={}"}, schema)
        == R"({"a":{"b":1,"next":{}}})");
  CHECK(read({"dotted.name=1"}, schema) == R"({"dotted.name":1})");
  CHECK(read({"free.x.y=1"}, schema) == R"({"free":{"x":{"y":"1"}}})");
  CHECK(read({"counts.x=1"}, schema) == R"({"counts":{"x":1}})");
  CHECK(read({"text.x=1"}, schema) == R"({"text.x":"1"})");
  CHECK(read({"a.c=1"}, schema)
        == "a.c: is \"1\", but the schema has no such key; the nearest is b");
  CHECK(read({"a.b=1"}, "{}") == R"({"a.b":"1"})");
}

TEST_CASE("a key that the schema has not is refused with the nearest one",
          "[tool]") {
  const auto* closed = R"({"properties": {"message": {"type": "string"}},
                           "additionalProperties": false})";
  const std::string refused
    = "mesage: is \"x\", but the schema has no such key; the nearest is "
      "message";
  CHECK(read({"mesage=x"}, closed) == refused);
  CHECK_THAT(read({"mesage:=1"}, closed),
             ContainsSubstring("the nearest is message"));
  // Servers seldom say that there are no others; JSON is sent all the same.
  const auto* silent = R"({"properties": {"message": {"type": "string"}}})";
  CHECK(read({"mesage=x"}, silent)
        == refused + "; KEY:=JSON is sent in any case");
  CHECK(read({"mesage:=1"}, silent) == R"({"mesage":1})");
  const auto* open = R"({"properties": {"message": {}},
                         "additionalProperties": {"type": "integer"}})";
  CHECK(read({"mesage=1"}, open) == R"({"mesage":1})");
  CHECK(read({"mesage=1"}, R"({"type":"object"})") == R"({"mesage":"1"})");
}

TEST_CASE("required keys that are missing are listed", "[tool]") {
  const value_schema schema{parse_payload(R"({
    "required": ["a", "b", "c"],
    "properties": {"a": {"type": "object", "required": ["x"]},
                   "c": {"default": 1}}})")};
  const auto missing = [&](const char* object) {
    return missing_keys(parse_payload(object), schema);
  };
  CHECK(missing("{}") == words{"a", "b"});
  CHECK(missing(R"({"a":{}})") == words{"b", "a.x"});
  CHECK(missing(R"({"a":{"x":1},"b":null})").empty());
}

TEST_CASE("values and all arguments are taken from files", "[tool]") {
  const tests::scratch_directory scratch;
  const auto file = scratch.path() + "/f";
  std::ofstream{file} << "{\"n\": 123456789012345678901}\n";
  const auto number = scratch.path() + "/n";
  std::ofstream{number} << "5\n";
  const auto* schema
    = R"({"properties":{"text":{"type":"string"},"n":{"type":"integer"},
    "o":{"type":"object"}}})";
  CHECK(read({"@" + file}, schema) == R"({"n":123456789012345678901})");
  CHECK(read({"text=@" + number}, schema) == R"({"text":"5\n"})");
  CHECK(read({"n=@" + number}, schema) == R"({"n":5})");
  CHECK(read({"o:=@" + file}, schema)
        == R"({"o":{"n":123456789012345678901}})");
  CHECK_THAT(refusal({"n=@" + scratch.path() + "/none"}),
             ContainsSubstring("No such file"));
  CHECK_THAT(refusal({"@" + number}),
             ContainsSubstring("is not a JSON object"));
  CHECK_THAT(refusal({"n=@" + scratch.path()}),
             ContainsSubstring("Is a directory"));
  std::ofstream{file} << "\xff";
  CHECK_THAT(refusal({"n=@" + file}), ContainsSubstring("UTF-8"));
}

TEST_CASE("a word is one argument, split at its first sign", "[tool]") {
  CHECK(read({"[a=1,b=2]"}, "{}") == R"({"[a":"1,b=2]"})");
  CHECK(read({"a=b=c"}, "{}") == R"({"a":"b=c"})");
  CHECK_THAT(refusal({"[a,b]"}), ContainsSubstring("\"[a,b]\""));
}

TEST_CASE("arguments of a prompt are strings whatever was typed", "[tool]") {
  auto read = read_text_arguments(
    {"a=1", "b:=2.50", R"(c:="x")", R"({"d":[1,123456789012345678901]})"});
  REQUIRE(read);
  CHECK(read->to_json()
        == R"({"a":"1","b":"2.5","c":"x","d":"[1,123456789012345678901]"})");
}
