#include "caf_mcp/actors/connection/output_schema.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

using namespace caf_mcp;

namespace {

using outcome = output_check::outcome;

output_check check(std::string_view schema, std::string_view content) {
  return check_output(parse_payload(schema), parse_payload(content));
}

bool fits(std::string_view schema, std::string_view content) {
  auto checked = check(schema, content);
  CAPTURE(checked.why);
  CHECK(
    (checked.result == outcome::fits || checked.result == outcome::misfits));
  return checked.result == outcome::fits;
}

/// Returns `count` texts made by `make`, with commas between them.
template <class Make>
std::string joined(int count, Make make) {
  std::string result;
  for (auto i = 0; i < count; ++i)
    result += (i == 0 ? "" : ",") + std::string{make(i)};
  return result;
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
  CHECK(check(schema, R"({"n":0})").why == "/n: does not meet minimum 1");
  CHECK(check(schema, R"({"n":1,"m":1})").why
        == "/m: does not meet a schema that is false false");
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

TEST_CASE("items, members and names are checked each") {
  CHECK(fits(R"({"uniqueItems":true})", R"([1,"1",[1],{"a":1,"b":2}])"));
  CHECK_FALSE(fits(R"({"uniqueItems":true})", "[1,2,1.0]"));
  CHECK_FALSE(
    fits(R"({"uniqueItems":true})", R"([{"a":1,"b":2},{"b":2,"a":1}])"));
  CHECK(fits(R"({"contains":{"const":7}})", "[1,7]"));
  CHECK_FALSE(fits(R"({"contains":{"const":7}})", "[1]"));
  CHECK(fits(R"({"propertyNames":{"maxLength":1}})", R"({"a":0,"é":0})"));
  CHECK_FALSE(fits(R"({"propertyNames":{"maxLength":1}})", R"({"ab":0})"));
  CHECK_FALSE(fits(R"({"additionalProperties":false})", R"({"a":0})"));
  CHECK(fits(R"({"minProperties":1,"maxProperties":1})", R"({"a":0})"));
  CHECK_FALSE(fits(R"({"minItems":2})", "[1]"));
  CHECK_FALSE(fits(R"({"maxItems":1})", "[1,2]"));
}

TEST_CASE("exactly one alternative fits, for oneOf") {
  const auto* schema = R"({"oneOf":[{"type":"integer"},{"minimum":5}]})";
  CHECK(fits(schema, "4"));
  CHECK(fits(schema, "5.5"));
  CHECK_FALSE(fits(schema, "5"));
  CHECK_FALSE(fits(schema, "4.5"));
}

TEST_CASE("numbers are compared by value, whatever their types") {
  CHECK(fits(R"({"const":1})", "1.0"));
  CHECK(fits(R"({"maximum":9007199254740993})", "9007199254740993"));
  CHECK_FALSE(fits(R"({"maximum":9007199254740992})", "9007199254740993"));
  CHECK_FALSE(fits(R"({"maximum":9007199254740992.0})", "9007199254740993"));
  CHECK_FALSE(fits(R"({"exclusiveMinimum":0})", "0"));
  CHECK(fits(R"({"minimum":-1})", "18446744073709551615"));
  CHECK(fits(R"({"type":"integer"})", "1e300"));
}

TEST_CASE("a recursive schema is followed as deep as the content") {
  const auto* tree = R"({"properties":{"children":{"items":{"$ref":"#"}},
    "n":{"type":"integer"}},"required":["n"]})";
  std::string content = R"({"n":1})";
  for (auto i = 0; i < 200; ++i)
    content = R"({"n":1,"children":[)" + content + "]}";
  CHECK(fits(tree, content));
  content.replace(content.find(R"({"n":1})"), 7, "{}");
  CHECK_FALSE(fits(tree, content));
}

TEST_CASE("what cannot be checked safely is not checked, and says so") {
  auto [schema, why] = GENERATE(table<std::string, std::string>({
    {R"({"$ref":"https://example.com/s.json"})", "another document"},
    {R"({"$ref":"file:///etc/passwd"})", "another document"},
    {R"({"$ref":"#"})", "nested too deep"},
    {R"({"not":{"$ref":"#"}})", "nested too deep"},
    {R"({"$defs":{"a":{"allOf":[{"$ref":"#/$defs/a"}]}},"$ref":"#/$defs/a"})",
     "nested too deep"},
    {R"({"$ref":"#/$defs/none"})", "not there"},
    {R"({"pattern":"(a+)+$"})", "pattern"},
    {R"({"additionalProperties":false,"patternProperties":{}})",
     "patternProperties"},
    {R"({"multipleOf":0.1})", "multipleOf"},
    {R"({"multipleOf":0})", "multipleOf"},
    {R"({"unevaluatedProperties":false})", "unevaluatedProperties"},
    {R"({"prefixItems":[]})", "prefixItems"},
    {R"({"$schema":"http://json-schema.org/draft-04/schema#"})", "draft-04"},
    {R"({"properties":{"a":[]}})", "neither"},
    {R"({"properties":7})", "properties is malformed"},
    {R"({"required":"a"})", "required is malformed"},
    {R"({"required":[1]})", "required is malformed"},
    {R"({"allOf":{}})", "allOf is malformed"},
    {R"({"maxProperties":-1})", "no count"},
    {R"({"type":7})", "type is malformed"},
    {R"({"type":"text"})", "type is malformed"},
    {"3", "neither"},
  }));
  CAPTURE(schema);
  auto checked = check(schema, R"({"a":1})");
  CHECK(checked.result == outcome::unsupported);
  CHECK(checked.why.find(why) != std::string::npos);
}

TEST_CASE("no check goes beyond its budget, whatever makes it long") {
  const auto numbers
    = '[' + joined(3'000, [](int i) { return std::to_string(i); }) + ']';
  auto [name, schema, content]
    = GENERATE_COPY(table<std::string, std::string, std::string>({
      {"alternatives",
       R"({"items":{"anyOf":[)"
         + joined(
           6'000,
           [](int i) { return R"({"const":)" + std::to_string(-1 - i) + "}"; })
         + "]}}",
       numbers},
      {"alternatives of which one may fit",
       R"({"items":{"oneOf":[)"
         + joined(6'000, [](int) { return R"({"type":"string"})"; }) + "]}}",
       numbers},
      {"an enumeration",
       R"({"items":{"enum":[)"
         + joined(6'000, [](int i) { return std::to_string(-1 - i); }) + "]}}",
       numbers},
      {"unique items", R"({"uniqueItems":true})",
       '[' + joined(9'000, [](int i) { return std::to_string(i); }) + ']'},
      {"references that multiply",
       R"({"$ref":"#/$defs/d0","$defs":{"d40":{},)"
         + joined(40,
                  [](int i) {
                    auto next = R"({"$ref":"#/$defs/d)" + std::to_string(i + 1)
                                + R"("})";
                    return "\"d" + std::to_string(i) + R"(":{"allOf":[)" + next
                           + "," + next + "]}";
                  })
         + "}}",
       "1"},
      {"a long constant, again and again",
       R"({"items":{"$ref":"#/$defs/c"},"$defs":{"c":{"not":{"const":")"
         + std::string(1'000'000, 'x') + "\"}}}}",
       '['
         + joined(9,
                  [](int) { return '"' + std::string(1'000'000, 'x') + '"'; })
         + ']'},
    }));
  CAPTURE(name);
  check_budget budget;
  budget.steps_max = 10'000;
  auto checked
    = check_output(parse_payload(schema), parse_payload(content), budget);
  CHECK(checked.result == outcome::over_budget);
  CHECK(checked.why == "its check takes too long");
}

TEST_CASE("a check ends soon when its result is not wanted any more") {
  std::stop_source stop;
  stop.request_stop();
  check_budget budget;
  budget.stop = stop.get_token();
  const auto many
    = '[' + joined(3'000, [](int i) { return std::to_string(i); }) + ']';
  CHECK(check_output(parse_payload(R"({"uniqueItems":true})"),
                     parse_payload(many), budget)
          .result
        == outcome::over_budget);
}
