#include "caf_mcp/actors/connection/followed_task.hpp"

#include "tests/support/error_text.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include <string>
#include <variant>

using namespace caf_mcp;
using namespace std::chrono_literals;

namespace {

followed_task::step step(followed_task& task, std::string_view result) {
  return task.on_result("tools/call", parse_payload(result));
}

followed_task created(std::string_view more = "") {
  followed_task result;
  step(result, R"({"resultType":"task","status":"working","taskId":"t")"
                 + std::string{more} + "}");
  return result;
}

std::chrono::milliseconds pause_of(const followed_task::step& outcome) {
  return std::get<followed_task::pause>(outcome).time;
}

} // namespace

TEST_CASE("a task is asked for at the interval its server wishes") {
  auto task = created(R"(,"pollIntervalMs":40)");
  CHECK(task.method() == "tasks/get");
  CHECK(task.params().to_json() == R"({"taskId":"t"})");
  CHECK(pause_of(step(task, R"({"status":"working"})")) == 40ms);
  CHECK(pause_of(step(task, R"({"status":"working","pollIntervalMs":70})"))
        == 70ms);
  CHECK(pause_of(step(task, R"({"status":"working"})")) == 70ms);
}

TEST_CASE("a wish that would keep both sides busy, or overflow, is bounded") {
  auto task = created();
  CHECK(pause_of(step(task, R"({"status":"working"})")) == 1s);
  CHECK(pause_of(step(task, R"({"status":"working","pollIntervalMs":0})"))
        == 20ms);
  CHECK(pause_of(step(
          task, R"({"status":"working","pollIntervalMs":9223372036854775807})"))
        == 1h);
}

TEST_CASE("what a task asks for is answered once") {
  auto task = created();
  const auto* asking = R"({"status":"input_required",
    "inputRequests":{"a":{"method":"roots/list"}}})";
  auto asked = step(task, asking);
  CHECK(std::get<followed_task::ask>(asked).result.to_json()
        == R"({"inputRequests":{"a":{"method":"roots/list"}}})");
  task.add_answers(parse_payload(R"({"a":{"roots":[]}})"));
  CHECK(task.method() == "tasks/update");
  CHECK(task.params().to_json()
        == R"({"taskId":"t","inputResponses":{"a":{"roots":[]}}})");
  CHECK(pause_of(step(task, R"({"resultType":"complete"})")) == 1s);
  CHECK(task.method() == "tasks/get");
  CHECK(pause_of(step(task, asking)) == 1s); // the server lags behind
  auto more = step(task, R"({"status":"input_required","inputRequests":{
    "a":{"method":"roots/list"}, "b":{"method":"roots/list"}}})");
  CHECK(std::get<followed_task::ask>(more).result.to_json()
        == R"({"inputRequests":{"b":{"method":"roots/list"}}})");
}

TEST_CASE("an answer is about the task that was asked for") {
  auto task = created();
  CHECK(pause_of(step(task, R"({"taskId":"t","status":"working"})")) == 1s);
  CHECK(pause_of(step(task, R"({"status":"working"})")) == 1s);
  const auto other
    = GENERATE(as<std::string>{}, R"("u")", R"("t ")", "1", "null");
  const auto outcome = step(
    task, R"({"status":"completed","result":{},"taskId":)" + other + "}");
  REQUIRE(std::holds_alternative<followed_task::lost>(outcome));
  CHECK(tests::text_of(std::get<followed_task::lost>(outcome).error)
        == "invalid_response: tools/call: the task was asked about, and the "
           "answer is about another");
}

TEST_CASE("a status that nobody knows does not end a task") {
  auto task = created();
  CHECK(std::holds_alternative<followed_task::lost>(
    step(task, R"({"status":"dreaming"})")));
}
