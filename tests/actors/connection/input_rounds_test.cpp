#include "caf_mcp/actors/connection/input_rounds.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace caf_mcp;
using namespace std::chrono_literals;

namespace {

const auto call = parse_payload(
  R"({"name":"t","inputResponses":{"old":{}},"requestState":"old"})");

input_rounds rounds(std::uint32_t rounds_max = 3) {
  return input_rounds{call, rounds_max};
}

input_rounds::step step(input_rounds& state, std::string_view result) {
  return state.on_input_required("tools/call", parse_payload(result));
}

std::string error_name(const input_rounds::step& outcome) {
  const auto* error = std::get_if<caf::error>(&outcome);
  return error == nullptr ? "" : describe(*error).name;
}

} // namespace

TEST_CASE("all that is asked for is answered, then the call is sent again") {
  auto state = rounds();
  auto next = step(state, R"({"requestState":"s", "inputRequests":{
    "a":{"method":"roots/list"},
    "b":{"method":"elicitation/create","params":{"message":"?"}}}})");
  const auto& asked = std::get<input_rounds::ask>(next).requests;
  REQUIRE(asked.size() == 2);
  CHECK(asked[0].key == "a");
  CHECK(asked[0].request.method == "roots/list");
  CHECK(asked[1].request.params.string_member("message") == "?");
  state.add_answer("b", parse_payload(R"({"action":"decline"})"));
  CHECK_FALSE(state.is_answered());
  state.add_answer("a", parse_payload(R"({"roots":[]})"));
  CHECK(state.is_answered());
  CHECK(state.next_params().to_json()
        == R"({"name":"t","inputResponses":{"b":{"action":"decline"},)"
           R"("a":{"roots":[]}},"requestState":"s"})");
}

TEST_CASE("the state is sent back byte for byte, and only the newest") {
  auto state = rounds();
  const auto* odd = R"({"requestState":"\u0000\u2028 \"é\" \\ \/ 😀 \t"})";
  step(state, odd);
  CHECK(state.next_params().member("requestState")
        == parse_payload(odd).member("requestState"));
  step(state, R"({"inputRequests":{"a":{"method":"roots/list"}}})");
  state.add_answer("a", parse_payload("{}"));
  CHECK(state.next_params().to_json()
        == R"({"name":"t","inputResponses":{"a":{}}})");
}

TEST_CASE("a call that only has to wait is sent again after growing pauses") {
  auto state = rounds(100);
  std::vector<std::chrono::milliseconds> pauses;
  for (auto i = 0; i < 8; ++i) {
    auto next = step(state, R"({"requestState":"s"})");
    pauses.push_back(std::get<input_rounds::pause>(next).time);
    CHECK(state.is_pausing());
  }
  CHECK(pauses
        == std::vector<std::chrono::milliseconds>{
          250ms, 500ms, 1000ms, 2000ms, 4000ms, 8000ms, 8000ms, 8000ms});
  step(state, R"({"inputRequests":{"a":{"method":"roots/list"}}})");
  CHECK_FALSE(state.is_pausing());
  auto next = step(state, R"({"requestState":"s","inputRequests":{}})");
  CHECK(std::get<input_rounds::pause>(next).time == 250ms);
  CHECK(state.next_params().to_json() == R"({"name":"t","requestState":"s"})");
}

TEST_CASE("the limit counts answers that ask for input") {
  auto state = rounds(2);
  CHECK(error_name(step(state, R"({"requestState":"s"})")).empty());
  CHECK(error_name(step(state, R"({"requestState":"s"})")).empty());
  CHECK(error_name(step(state, R"({"requestState":"s"})"))
        == "too_many_input_rounds");
  auto never = rounds(0);
  CHECK(error_name(step(never, R"({"requestState":"s"})"))
        == "too_many_input_rounds");
}

TEST_CASE("an input_required that makes no sense is no valid response") {
  for (const auto* result :
       {"{}", R"({"requestState":7})", R"({"inputRequests":[]})",
        R"({"inputRequests":{"a":7}})", R"({"inputRequests":{"a":{}}})",
        R"({"inputRequests":{"a":{"method":null}}})"}) {
    INFO(result);
    auto state = rounds();
    CHECK(error_name(step(state, result)) == "invalid_response");
  }
  auto state = rounds();
  CHECK(error_name(state.on_input_required(
          "tools/list", parse_payload(R"({"requestState":"s"})")))
        == "invalid_response");
}
