#include "caf_mcp/actors/nodes/offered_tools.hpp"

#include "caf_mcp/actors/nodes/offered_catalogue.hpp"
#include "caf_mcp/messages/error_info.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace caf_mcp;

namespace {

server_offer only(std::vector<std::string> names) {
  server_offer result;
  result.allow = std::move(names);
  return result;
}

server_offer without(std::vector<std::string> names) {
  server_offer result;
  result.deny = std::move(names);
  return result;
}

std::string refusal(const server_offer& offer, std::string_view params) {
  const auto error
    = offered_tools{offer}.check("tools/call", parse_payload(params));
  return error ? describe(error).message : "";
}

} // namespace

TEST_CASE("a tool is offered if it is allowed and not denied",
          "[offered_tools]") {
  CHECK(offers_tool({}, "read"));
  CHECK(offers_tool(only({"read"}), "read"));
  CHECK_FALSE(offers_tool(only({"read"}), "write"));
  CHECK_FALSE(offers_tool(only({}), "read"));
  CHECK_FALSE(offers_tool(without({"write"}), "write"));
  CHECK(offers_tool(without({"write"}), "read"));
  auto both = only({"read", "write"});
  both.deny = {"write"};
  CHECK_FALSE(offers_tool(both, "write"));
  server_offer nothing;
  nothing.remote = false;
  CHECK_FALSE(offers_tool(nothing, "read"));
}

TEST_CASE("a call of a tool that is not offered is refused by name",
          "[offered_tools]") {
  CHECK(refusal(without({"write"}), R"({"name": "write"})")
        == R"(the node does not offer the tool "write")");
  CHECK(refusal(only({"read"}), R"({"name": "write", "arguments": {}})")
        == R"(the node does not offer the tool "write")");
  CHECK(refusal(only({"read"}), R"({})")
        == R"(the node does not offer the tool "")");
  CHECK(refusal(without({"write"}), R"({"name": "read"})").empty());
  CHECK(refusal({}, R"({"name": ["write"]})").empty());
}

TEST_CASE("a name that a lenient server could read as a tool's is refused",
          "[offered_tools]") {
  for (const auto* params :
       {R"({"name": ["write"]})", R"({"name": 1})", R"({"name": null})"})
    CHECK(refusal(without({"write"}), params)
          == "name: must be a string, the name of a tool");
}

TEST_CASE("what calls no tool is not looked at", "[offered_tools]") {
  CHECK_FALSE(offered_tools{only({})}.check(
    "prompts/get", parse_payload(R"({"name": "write"})")));
}

TEST_CASE("lists hold the tools that are offered, as they came",
          "[offered_tools]") {
  const offered_tools offer{without({"write"})};
  const auto list = parse_payload(
    R"([{"name":"read","x":12345678901234567890123},{"name":"write"},7])");
  CHECK(offer.in_list(list).to_json()
        == R"([{"name":"read","x":12345678901234567890123},7])");
  const auto page
    = parse_payload(R"({"tools":[{"name":"write"}],"nextCursor":"c"})");
  CHECK(offer.in_result(page).to_json() == R"({"tools":[],"nextCursor":"c"})");
  CHECK(offered_tools{server_offer{}}.in_result(page) == page);
  CHECK(offered_tools{only({"read"})}.in_list(list).to_json()
        == R"([{"name":"read","x":12345678901234567890123}])");
}

TEST_CASE("a catalogue for other nodes holds what is offered",
          "[offered_tools]") {
  const auto all = parse_payload(R"({"tools":[{"name":"a/read"},)"
                                 R"({"name":"a/write"},{"name":"b/read"}],)"
                                 R"("resources":[{"uri":"a/f:x"},)"
                                 R"({"uri":"b/f:x"}],"prompts":[],)"
                                 R"("servers":{"a":{"stale":false},)"
                                 R"("b":{"stale":false},"c":{}}})");
  server_offer hidden;
  hidden.remote = false;
  CHECK(
    offered_catalogue(all, {{"a", without({"write"})}, {"b", hidden}}).to_json()
    == R"({"tools":[{"name":"a/read"}],"resources":[{"uri":"a/f:x"}],)"
       R"("prompts":[],"servers":{"a":{"stale":false}}})");
}
