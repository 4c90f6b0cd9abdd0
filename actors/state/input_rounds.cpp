#include "caf_mcp/actors/state/input_rounds.hpp"

#include <algorithm>
#include <utility>

namespace caf_mcp {

namespace {

constexpr std::chrono::milliseconds first_pause{250};
constexpr std::chrono::milliseconds longest_pause{8000};

caf::error invalid(const std::string& method, std::string_view what) {
  return local_error(errc::invalid_response,
                     method + ": input_required " + std::string{what});
}

/// Doubles with each pause before it.
std::chrono::milliseconds pause_after(std::uint32_t pauses) {
  auto time = first_pause;
  for (; pauses > 0 && time < longest_pause; --pauses)
    time *= 2;
  return std::min(time, longest_pause);
}

} // namespace

bool takes_input(std::string_view method) noexcept {
  return method == "tools/call" || method == "prompts/get"
         || method == "resources/read";
}

input_rounds::step input_rounds::on_input_required(const std::string& method,
                                                   const payload& result) {
  handlers_.clear();
  answers_.clear();
  state_ = result.member("requestState");
  const auto wanted = result.member("inputRequests");
  if (!takes_input(method))
    return invalid(method, "is no answer to this method");
  if (!state_ && !wanted)
    return invalid(method, "has neither inputRequests nor requestState");
  if (state_ && !state_.value().is_string())
    return invalid(method, "has a requestState that is no string");
  if (wanted && wanted.if_object() == nullptr)
    return invalid(method, "has inputRequests that are no object");
  if (++rounds_ > limits_.rounds_max) {
    boost::json::object data{{"method", method},
                             {"maxInputRounds", limits_.rounds_max}};
    return local_error(errc::too_many_input_rounds,
                       method + ": the server asks for input more than "
                         + std::to_string(limits_.rounds_max)
                         + " times, the limit of max_input_rounds",
                       payload{std::move(data)});
  }
  ask next;
  if (wanted)
    for (const auto& [key, entry] : *wanted.if_object()) {
      auto each = wanted.member(key);
      auto name = each.string_member("method");
      if (name.empty())
        return invalid(method, "has an input request without a method");
      next.requests.push_back(
        {key, server_request{std::string{name}, each.member("params")}});
    }
  asked_ = next.requests.size();
  if (asked_ > limits_.requests_max)
    return invalid(method, "asks for " + std::to_string(asked_)
                             + " things at once; the limit, "
                               "max_server_requests, is "
                             + std::to_string(limits_.requests_max));
  is_pausing_ = asked_ == 0;
  if (is_pausing_)
    return pause{pause_after(pauses_++)};
  pauses_ = 0;
  return next;
}

void input_rounds::add_answer(const std::string& key, const payload& answer) {
  answers_[key] = answer.value();
}

payload input_rounds::next_params() const {
  boost::json::object result;
  if (const auto* own = params_.if_object())
    result = *own;
  result.erase("inputResponses");
  result.erase("requestState");
  if (asked_ > 0)
    result["inputResponses"] = answers_;
  if (state_)
    result["requestState"] = state_.value();
  return payload{boost::json::value(std::move(result))};
}

} // namespace caf_mcp
