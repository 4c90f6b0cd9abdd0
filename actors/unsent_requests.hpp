#pragma once

#include <atomic>

namespace caf_mcp {

/// What an actor has given to a pipeline and what has not left yet, in an entry
/// that the pipeline is. What the actor sends by `ask` or `tell` meanwhile must
/// not arrive earlier, so these flush first.
class unsent_requests {
public:
  unsent_requests(const unsent_requests&) = delete;
  unsent_requests& operator=(const unsent_requests&) = delete;

  /// Flushes all that `sender`, the control block of an actor, has not sent. To
  /// be called in the context of that actor.
  static void flush_all_of(const void* sender) {
    if (count_.load(std::memory_order_relaxed) > 0)
      find_and_flush(sender);
  }

protected:
  unsent_requests() = default;

  virtual ~unsent_requests() {
    on_sent();
  }

  /// Sends what was held back, and calls `on_sent`.
  virtual void flush() = 0;

  /// Something is held back.
  void on_held_back(const void* sender);

  /// Nothing is held back any more.
  void on_sent() noexcept {
    if (sender_ != nullptr)
      remove();
  }

private:
  struct shard;

  static shard& shard_of(const void* sender) noexcept;
  static void find_and_flush(const void* sender);
  void remove() noexcept;

  /// How many entries there are, of all actors. An actor sees its own.
  static inline std::atomic<int> count_{0};

  /// Set while it is among the entries of a shard.
  const void* sender_ = nullptr;
  unsent_requests* previous_ = nullptr;
  unsent_requests* next_ = nullptr;
};

} // namespace caf_mcp
