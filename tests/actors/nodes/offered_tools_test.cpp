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

std::string refusal(const server_offer& offer, std::string_view method,
                    std::string_view params, const own_tasks& tasks = {}) {
  const auto error
    = offered_tools{offer}.check(method, parse_payload(params), tasks);
  return error ? describe(error).message : "";
}

std::string refusal(const server_offer& offer, std::string_view params) {
  return refusal(offer, "tools/call", params);
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
  CHECK(refusal(without({"write"}), R"({"name": "read"})").empty());
  CHECK(refusal({}, R"({"name": ["write"]})").empty());
}

TEST_CASE("a name that a lenient server could read as a tool's is refused",
          "[offered_tools]") {
  for (const auto* params :
       {R"({"name": ["write"]})", R"({"name": 1})", R"({"name": null})",
        R"({})", R"(["write"])", "", R"({"Name": "write"})",
        R"({"name": "read", "Name": "write"})", R"({"NAME ": "write"})",
        R"({"name": "read", "na\u0000me": "write"})"})
    for (const auto& offer : {without({"write"}), only({"read"})}) {
      CAPTURE(params);
      CHECK(refusal(offer, params).starts_with("name: "));
      CHECK(refusal({}, params).empty());
    }
}

TEST_CASE("of two names the one that is checked is the one that is passed on",
          "[offered_tools]") {
  const auto twice = parse_payload(R"({"name": "read", "name": "write"})");
  CHECK(twice.to_json() == R"({"name":"write"})");
  CHECK(offered_tools{without({"write"})}.check("tools/call", twice, {}));
}

TEST_CASE(
  "a method that a lenient server could read as one of tools is refused",
  "[offered_tools]") {
  const std::string_view call = R"({"name": "write"})";
  for (const auto* method :
       {"Tools/call", "tools/CALL", " tools/call", "tools/call\n",
        "tools/ call", "\xC2\xA0tools/call", "TASKS/get", "tasks/result\t"}) {
    CAPTURE(method);
    CHECK(refusal(without({"write"}), method, call).starts_with("method: "));
    CHECK(refusal({}, method, call).empty());
  }
  CHECK(refusal(without({"write"}), "logging/setLevel", "{}").empty());
  CHECK(refusal(without({"write"}), "tools/list", "").empty());
}

TEST_CASE("where tools are kept back, a caller asks for its own tasks alone",
          "[offered_tools]") {
  const auto offer = without({"write"});
  own_tasks tasks;
  tasks.note(parse_payload(R"({"resultType": "task", "taskId": "modern"})"));
  tasks.note(parse_payload(R"({"task": {"taskId": "legacy"}})"));
  tasks.note(parse_payload(R"({"content": []})"));
  for (const auto* method : {"tasks/get", "tasks/result", "tasks/cancel"}) {
    CAPTURE(method);
    CHECK(refusal(offer, method, R"({"taskId": "modern"})", tasks).empty());
    CHECK(refusal(offer, method, R"({"taskId": "legacy"})", tasks).empty());
    CHECK_FALSE(refusal(offer, method, R"({"taskId": "x"})", tasks).empty());
    CHECK_FALSE(
      refusal(offer, method, R"({"taskId": "modern", "taskid": "x"})", tasks)
        .empty());
    CHECK(refusal({}, method, R"({"taskId": "x"})").empty());
  }
  CHECK_FALSE(refusal(offer, "tasks/list", "{}", tasks).empty());
}

TEST_CASE("of very many tasks the oldest are forgotten", "[offered_tools]") {
  own_tasks tasks;
  for (std::size_t i = 0; i <= own_tasks::tasks_max; ++i)
    tasks.note(payload{{{"taskId", std::to_string(i)}}});
  CHECK_FALSE(tasks.holds("0"));
  CHECK(tasks.holds("1"));
  CHECK(tasks.holds(std::to_string(own_tasks::tasks_max)));
  const std::string large(own_tasks::id_bytes_max + 1, 'x');
  tasks.note(payload{{{"taskId", large}}});
  CHECK_FALSE(tasks.holds(large));
}

TEST_CASE("what calls no tool is not looked at", "[offered_tools]") {
  CHECK_FALSE(offered_tools{only({})}.check(
    "prompts/get", parse_payload(R"({"name": "write"})"), {}));
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
