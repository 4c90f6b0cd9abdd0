#pragma once

#include <chrono>
#include <cstddef>
#include <optional>

namespace caf_mcp {

/// Large mappings that were freed a moment ago, kept for the next large
/// message: the first touch of fresh pages is most of what one costs. A second
/// after the last use all go back to the system. Any thread may take and give.
class spare_memory {
public:
  /// Memory of `bytes` bytes from mmap(2).
  struct mapping {
    void* data = nullptr;
    std::size_t bytes = 0;
  };

  /// Promises, while it lives, that its thread calls `time_left` before each of
  /// its sleeps, and every now and then while it does not sleep. Nothing is
  /// kept unless such a thread took memory within the last second. Gives
  /// everything back when it ends.
  class trimmer {
  public:
    trimmer() noexcept;
    ~trimmer();
    trimmer(const trimmer&) = delete;
    trimmer& operator=(const trimmer&) = delete;
  };

  /// Returns the mapping that suits `bytes` best, which may be smaller or
  /// larger; an empty one if there is none.
  static mapping take(std::size_t bytes);

  /// Takes over a mapping to keep; returns false if it is not wanted.
  static bool give(mapping spare) noexcept;

  /// Gives everything back if its time is over; else returns when to ask
  /// again, if anything may be kept until then.
  static std::optional<std::chrono::steady_clock::duration> time_left();
};

} // namespace caf_mcp
