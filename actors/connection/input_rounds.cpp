#include "caf_mcp/actors/connection/input_rounds.hpp"

#include "caf_mcp/messages/json/compose.hpp"

#include <algorithm>
#include <utility>

namespace caf_mcp {

namespace {

constexpr std::chrono::milliseconds first_pause{250};
constexpr std::chrono::milliseconds longest_pause{8000};

caf::error invalid_input(const std::string& method, std::string_view what) {
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
    return invalid_input(method, "is no answer to this method");
  if (!state_ && !wanted)
    return invalid_input(method, "has neither inputRequests nor requestState");
  if (state_ && !state_.value().is_string())
    return invalid_input(method, "has a requestState that is no string");
  if (wanted && wanted.if_object() == nullptr)
    return invalid_input(method, "has inputRequests that are no object");
  if (++rounds_ > rounds_max_) {
    boost::json::object data{{"method", method},
                             {"maxInputRounds", rounds_max_}};
    return local_error(errc::too_many_input_rounds,
                       method + ": the server asks for input more than "
                         + std::to_string(rounds_max_)
                         + " times, the limit of max_input_rounds",
                       payload{std::move(data)});
  }
  ask next;
  if (wanted)
    for (const auto& [key, entry] : *wanted.if_object()) {
      auto each = wanted.member(key);
      auto name = each.string_member("method");
      if (name.empty())
        return invalid_input(method, "has an input request without a method");
      next.requests.push_back(
        {key, server_request{std::string{name}, each.member("params")}});
    }
  asked_ = next.requests.size();
  is_pausing_ = asked_ == 0;
  if (is_pausing_)
    return pause{pause_after(pauses_++)};
  pauses_ = 0;
  return next;
}

void input_rounds::add_answer(const std::string& key, const payload& answer) {
  answers_.push_back({key, answer});
}

payload input_rounds::next_params() const {
  auto result = members_of(params_);
  std::erase_if(result, [](const payload_member& member) {
    return member.key == "inputResponses" || member.key == "requestState";
  });
  if (asked_ > 0)
    result.push_back({"inputResponses", answers()});
  result.push_back({"requestState", state_}); // left out if it is absent
  return compose_object(result);
}

} // namespace caf_mcp
