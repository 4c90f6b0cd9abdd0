#include "caf_mcp/actors/unsent_requests.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>

namespace caf_mcp {

/// A part of the entries: actors of many threads seldom meet in one. Each actor
/// only looks for its own entries, so these stay while it does.
struct unsent_requests::shard {
  std::mutex mutex;
  unsent_requests* first = nullptr;
};

unsent_requests::shard& unsent_requests::shard_of(const void* sender) noexcept {
  static std::array<shard, 64> all;
  // Control blocks are as far apart as cache lines.
  const auto line = reinterpret_cast<std::uintptr_t>(sender) / 64;
  return all[line % all.size()];
}

void unsent_requests::on_held_back(const void* sender) {
  if (sender_ != nullptr)
    return;
  auto& part = shard_of(sender);
  const std::lock_guard guard{part.mutex};
  sender_ = sender;
  previous_ = nullptr;
  next_ = part.first;
  if (next_ != nullptr)
    next_->previous_ = this;
  part.first = this;
  count_.fetch_add(1, std::memory_order_relaxed);
}

void unsent_requests::remove() noexcept {
  auto& part = shard_of(sender_);
  const std::lock_guard guard{part.mutex};
  if (previous_ != nullptr)
    previous_->next_ = next_;
  else
    part.first = next_;
  if (next_ != nullptr)
    next_->previous_ = previous_;
  sender_ = nullptr;
  count_.fetch_sub(1, std::memory_order_relaxed);
}

void unsent_requests::find_and_flush(const void* sender) {
  auto& part = shard_of(sender);
  for (;;) {
    unsent_requests* found = nullptr;
    {
      const std::lock_guard guard{part.mutex};
      found = part.first;
      while (found != nullptr && found->sender_ != sender)
        found = found->next_;
    }
    if (found == nullptr)
      return;
    found->flush();
  }
}

} // namespace caf_mcp
