#include "caf_mcp/actors/connection/reconnect_policy.hpp"

#include <algorithm>
#include <utility>

namespace caf_mcp {

std::optional<std::chrono::milliseconds>
reconnect_policy::on_lost(clock::time_point now) {
  auto ready_since = std::exchange(ready_since_, std::nullopt);
  if (ready_since && now - *ready_since >= stable_after)
    attempts_ = 0;
  if (attempts_ >= attempts_max_)
    return std::nullopt;
  const auto doublings = std::min(attempts_, 7U); // 250 ms * 2^7 > 30 s
  ++attempts_;
  const auto full = std::min(first_pause_ * (1 << doublings), backoff_max);
  std::uniform_int_distribution<std::int64_t> jitter{0, full.count() / 2};
  return full - std::chrono::milliseconds{jitter(random_)};
}

} // namespace caf_mcp
