#include "caf_mcp/actors/pipeline_slots.hpp"

#include <utility>

namespace caf_mcp {

void pipeline_slots::add(send_request request, handlers whom) {
  if (free_.empty()) {
    free_.push_back(slots_.size());
    slots_.emplace_back();
  }
  const auto slot = free_.back();
  free_.pop_back();
  slots_[slot] = std::move(whom);
  requests_.push_back({slot, std::move(request)});
}

std::vector<pipelined_request> pipeline_slots::take_requests() {
  std::vector<pipelined_request> result;
  result.reserve(requests_.size());
  result.swap(requests_);
  return result;
}

void pipeline_slots::complete(const pipelined_answer& answer) {
  const auto whom = take(answer.slot);
  if (answer.error)
    whom.on_error(answer.error);
  else
    whom.on_result(answer.result);
}

void pipeline_slots::fail_all(const caf::error& why) {
  requests_.clear();
  free_.clear();
  for (const auto& whom : std::exchange(slots_, {}))
    if (whom.on_error)
      whom.on_error(why);
}

pipeline_slots::handlers pipeline_slots::take(std::uint64_t slot) {
  auto result = std::exchange(slots_.at(slot), {});
  free_.push_back(slot);
  return result;
}

} // namespace caf_mcp
