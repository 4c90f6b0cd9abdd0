#include "caf_mcp/actors/connection/followed_task.hpp"

#include "caf_mcp/messages/json/compose.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

namespace caf_mcp {

namespace {

/// Bounds on what a server may wish for, so that neither side is kept busy nor
/// a sum overflows.
constexpr std::int64_t poll_interval_ms_min = 20;
constexpr std::int64_t poll_interval_ms_max = 3'600'000;

caf::error invalid_task(const std::string& of, std::string_view what) {
  return local_error(errc::invalid_response,
                     of + ": the task " + std::string{what});
}

rpc_error failure_of(const payload& error) {
  auto code = error.member("code");
  constexpr std::int64_t internal_error = -32603; // JSON-RPC 2.0, 5.1
  return {code.value().is_int64() ? code.value().get_int64() : internal_error,
          std::string{error.string_member("message")}, error.member("data")};
}

} // namespace

followed_task::step followed_task::on_result(const std::string& of,
                                             const payload& result) {
  if (answers_) {
    answers_ = {}; // an acknowledgement, which says nothing of the state
    return pause{poll_interval_};
  }
  const auto named = result.member("taskId");
  if (!id_) {
    if (result.string_member("taskId").empty())
      return invalid_task(of, "has no taskId");
    id_ = named;
  } else if (named && named != id_) {
    return lost{
      invalid_task(of, "was asked about, and the answer is about another")};
  }
  if (auto interval = result.member("pollIntervalMs");
      interval.value().is_int64())
    poll_interval_ = std::chrono::milliseconds{
      std::clamp(interval.value().get_int64(), poll_interval_ms_min,
                 poll_interval_ms_max)};
  return on_state(of, result);
}

followed_task::step followed_task::on_state(const std::string& of,
                                            const payload& result) {
  const auto status = result.string_member("status");
  // What it is about is only said by `tasks/get`.
  if (result.string_member("resultType") == "task" || status == "working")
    return pause{poll_interval_};
  if (status == "input_required")
    return on_input_required(result);
  if (status == "completed") {
    auto end = result.member("result");
    if (end.if_object() == nullptr)
      return invalid_task(of, "is completed without a result");
    return done{std::move(end)};
  }
  if (status == "failed")
    return refused{failure_of(result.member("error"))};
  if (status == "cancelled")
    return local_error(errc::task_cancelled,
                       of + ": the server cancelled the task", result);
  return lost{invalid_task(of, "has the unknown status "
                                 + result.member("status").to_json())};
}

followed_task::step followed_task::on_input_required(const payload& result) {
  auto fresh = members_of(result.member("inputRequests"));
  std::erase_if(fresh, [this](const payload_member& each) {
    return answered_.contains(each.key);
  });
  if (fresh.empty())
    return pause{poll_interval_};
  const std::array asked{
    payload_member{"inputRequests", compose_object(fresh)}};
  return ask{compose_object(asked)};
}

void followed_task::add_answers(payload answers) {
  for (auto& each : members_of(answers))
    answered_.insert(std::move(each.key));
  answers_ = std::move(answers);
}

std::string_view followed_task::method() const noexcept {
  return answers_ ? "tasks/update" : "tasks/get";
}

payload followed_task::params() const {
  return with_member(id_params(), "inputResponses", answers_);
}

payload followed_task::id_params() const {
  return payload{boost::json::value{{"taskId", id_.value()}}};
}

} // namespace caf_mcp
