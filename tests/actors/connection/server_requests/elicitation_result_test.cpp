#include "caf_mcp/actors/connection/server_requests/elicitation_result.hpp"

#include <catch2/catch_test_macros.hpp>

using caf_mcp::elicitation_result;
using caf_mcp::parse_payload;
using caf_mcp::payload;

namespace {

const auto form = parse_payload(R"({"message": "?", "requestedSchema": {
  "type": "object", "properties": {
    "name": {"type": "string", "default": "Ada"},
    "age": {"type": "integer", "default": 42},
    "score": {"type": "number", "default": 9.5},
    "verified": {"type": "boolean", "default": true},
    "colour": {"type": "string", "enum": ["red", "green"], "default": "red"},
    "note": {"type": "string"}}}})");

std::string filled(const payload& params, std::string_view result) {
  return elicitation_result(params, parse_payload(result)).to_json();
}

} // namespace

TEST_CASE("fields that were left out of a form get their defaults") {
  CHECK(filled(form, R"({"action":"accept","content":{"age":7}})")
        == R"({"action":"accept","content":{"age":7,"name":"Ada",)"
           R"("score":9.5,"verified":true,"colour":"red"}})");
  CHECK(filled(form, R"({"action":"accept"})")
        == R"({"action":"accept","content":{"name":"Ada","age":42,)"
           R"("score":9.5,"verified":true,"colour":"red"}})");
}

TEST_CASE("a value that was given wins over the default, even null") {
  CHECK(parse_payload(
          filled(form, R"({"action":"accept","content":{"name":null}})"))
          .member("content")
          .member("name")
          .value()
          .is_null());
}

TEST_CASE("only an accepted form has content") {
  for (const auto* result :
       {R"({"action":"decline"})", R"({"action":"cancel"})",
        R"({"action":"accept","content":[1]})", "[]"})
    CHECK(filled(form, result) == result);
  auto url = parse_payload(
    R"({"mode":"url","requestedSchema":{"properties":{"a":{"default":1}}}})");
  CHECK(filled(url, R"({"action":"accept"})") == R"({"action":"accept"})");
  CHECK(filled(url, R"({"action":"accept","content":{"a":1}})")
        == R"({"action":"accept"})");
  CHECK(filled(form, R"({"action":"decline","content":{"age":7}})")
        == R"({"action":"decline"})");
}

TEST_CASE("a schema without properties or defaults adds nothing") {
  for (const auto* params :
       {"{}", R"({"requestedSchema":{}})",
        R"({"requestedSchema":{"properties":[]}})",
        R"({"mode":"form","requestedSchema":{"properties":{"a":true}}})"})
    CHECK(
      filled(parse_payload(params), R"({"action":"accept","content":{"b":1}})")
      == R"({"action":"accept","content":{"b":1}})");
}
