#include "caf_mcp/messages/output_schema.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

using namespace caf_mcp;

namespace {

output_verdict check(std::string_view schema, std::string_view content) {
  return check_output(parse_payload(schema), parse_payload(content));
}

bool fits(std::string_view schema, std::string_view content) {
  auto verdict = check(schema, content);
  CHECK(verdict.obstacle == "");
  return verdict.problem.empty();
}

} // namespace

TEST_CASE("structured content is checked against its schema") {
  const auto* schema = R"({"type":"object","properties":{
    "n":{"type":"integer","minimum":1},"format":{"type":"string"}},
    "required":["n"],"additionalProperties":false,"title":"t"})";
  CHECK(fits(schema, R"({"n":1})"));
  CHECK(fits(schema, R"({"n":2.0,"format":"x"})"));
  CHECK_FALSE(fits(schema, R"({"n":1.5})"));
  CHECK_FALSE(fits(schema, R"({"n":"1"})"));
  CHECK_FALSE(fits(schema, R"({"n":0})"));
  CHECK_FALSE(fits(schema, R"({})"));
  CHECK_FALSE(fits(schema, R"({"n":1,"m":1})"));
  CHECK(check(schema, R"({"n":0})").problem.find("n") != std::string::npos);
}

TEST_CASE("schemas combine") {
  const auto* schema
    = R"({"anyOf":[{"type":"string"},{"type":["number","null"]}],
          "not":{"const":7},"if":{"type":"number"},"then":{"maximum":9}})";
  CHECK(fits(schema, R"("s")"));
  CHECK(fits(schema, "null"));
  CHECK(fits(schema, "8"));
  CHECK_FALSE(fits(schema, "7"));
  CHECK_FALSE(fits(schema, "10"));
  CHECK_FALSE(fits(schema, "[]"));
  CHECK(fits(R"({"multipleOf":5})", "10"));
  CHECK_FALSE(fits(R"({"multipleOf":5})", "11"));
  CHECK(fits(R"({"items":{"enum":["a",1]}})", R"(["a",1])"));
  CHECK_FALSE(fits(R"({"items":{"enum":["a",1]}})", R"(["b"])"));
}

TEST_CASE("a reference within the schema is followed") {
  const auto* schema = R"({"$defs":{"p":{"type":"string"}},
    "properties":{"a":{"$ref":"#/$defs/p","maxLength":1}}})";
  CHECK(fits(schema, R"({"a":"x"})"));
  CHECK_FALSE(fits(schema, R"({"a":1})"));
  CHECK_FALSE(fits(schema, R"({"a":"xx"})"));
  const auto* draft_7 = R"({"$schema":"http://json-schema.org/draft-07/schema#",
          "definitions":{"p":{"type":"string"}},
          "properties":{"a":{"$ref":"#/definitions/p","maxLength":1}}})";
  CHECK(fits(draft_7, R"({"a":"xx"})"));
  CHECK_FALSE(fits(draft_7, R"({"a":1})"));
}

TEST_CASE("what a format demands is not enforced") {
  CHECK(fits(R"({"type":"string","format":"date"})", R"("no date")"));
}

TEST_CASE("what cannot be checked safely is not checked, and says so") {
  auto [schema, why] = GENERATE(table<std::string, std::string>({
    {R"({"$ref":"https://example.com/s.json"})", "another document"},
    {R"({"$ref":"file:///etc/passwd"})", "another document"},
    {R"({"$ref":"#"})", "recursive"},
    {R"({"$defs":{"a":{"items":{"$ref":"#/$defs/a"}}},"$ref":"#/$defs/a"})",
     "recursive"},
    {R"({"$ref":"#/$defs/none"})", "not there"},
    {R"({"pattern":"(a+)+$"})", "pattern"},
    {R"({"patternProperties":{}})", "patternProperties"},
    {R"({"uniqueItems":true})", "uniqueItems"},
    {R"({"multipleOf":0.1})", "multipleOf"},
    {R"({"unevaluatedProperties":false})", "unevaluatedProperties"},
    {R"({"prefixItems":[]})", "prefixItems"},
    {R"({"$schema":"http://json-schema.org/draft-04/schema#"})", "draft-04"},
    {R"({"items":[{}]})", "neither"},
    {R"({"type":7})", ""},
    {"3", "neither"},
  }));
  CAPTURE(schema);
  auto verdict = check(schema, "{}");
  CHECK(verdict.problem == "");
  CHECK(verdict.obstacle != "");
  CHECK(verdict.obstacle.find(why) != std::string::npos);
}

TEST_CASE("a schema that multiplies itself is not checked") {
  std::string schema = R"({"$ref":"#/$defs/d0","$defs":{"d20":{})";
  for (auto i = 0; i < 20; ++i) {
    auto next = R"({"$ref":"#/$defs/d)" + std::to_string(i + 1) + R"("})";
    schema += ",\"d" + std::to_string(i) + R"(":{"allOf":[)" + next + "," + next
              + "]}";
  }
  schema += "}}";
  CHECK(check(schema, "{}").obstacle == "it has too many subschemas");
}
