#include "caf_mcp/actors/connection/subscriptions/event_buffer.hpp"

#include <limits>

namespace caf_mcp {

bool event_buffer::push(server_event event) {
  const auto can_merge = event.kind != event_kind::log_message;
  if (can_merge && mergeable_.contains({event.kind, event.uri}))
    return true;
  if (events_.size() >= waiting_max_) {
    switch (overflow_) {
      case overflow_policy::close:
        return false;
      case overflow_policy::drop_newest:
        ++dropped_;
        return true;
      case overflow_policy::drop_oldest:
        ++dropped_;
        take_oldest();
        break;
    }
  }
  if (can_merge)
    mergeable_.emplace(event.kind, event.uri);
  events_.push_back(std::move(event));
  return true;
}

void event_buffer::grant(std::uint64_t count) noexcept {
  const auto room = std::numeric_limits<std::uint64_t>::max() - credit_;
  credit_ += count < room ? count : room;
}

std::optional<event_buffer::delivery> event_buffer::next() {
  if (events_.empty() || credit_ == 0)
    return std::nullopt;
  --credit_;
  return delivery{std::exchange(dropped_, 0), take_oldest()};
}

std::uint64_t event_buffer::drop_all() {
  const auto waiting = events_.size();
  events_.clear();
  mergeable_.clear();
  return std::exchange(dropped_, 0) + waiting;
}

server_event event_buffer::take_oldest() {
  auto oldest = std::move(events_.front());
  events_.pop_front();
  if (oldest.kind != event_kind::log_message)
    mergeable_.erase({oldest.kind, oldest.uri});
  return oldest;
}

} // namespace caf_mcp
