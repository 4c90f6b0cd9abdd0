#include "caf_mcp/messages/wire/spare_memory.hpp"

#include "caf_mcp/messages/wire/address_sanitizer.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <mutex>
#include <utility>
#ifdef __linux__
#  include <sys/mman.h>
#endif

namespace caf_mcp {

namespace {

using clock = std::chrono::steady_clock;

constexpr std::chrono::seconds time_kept{1};

/// A large message takes two: its text and its document.
constexpr std::size_t kept_max = 2;

using mappings = std::array<spare_memory::mapping, kept_max>;

thread_local bool trims = false;

struct shelf {
  std::mutex mutex;
  /// The empty ones are free places.
  mappings kept;
  clock::time_point end;
  /// Whether `end` may be ahead: what threads that go to sleep look at.
  std::atomic<bool> is_open = false;
};

/// Is never destroyed: memory is freed later than all variables.
shelf& the_shelf() {
  static auto& instance = *new shelf;
  return instance;
}

/// Returns whether `one` is better for `bytes` than `other`: the smallest that
/// is large enough, else the largest.
bool suits_better(const spare_memory::mapping& one,
                  const spare_memory::mapping& other, std::size_t bytes) {
  if (one.bytes >= bytes && other.bytes >= bytes)
    return one.bytes < other.bytes;
  return one.bytes > other.bytes;
}

/// Gives everything back unless `now` is before the end; returns the time until
/// then.
std::optional<clock::duration> give_back(clock::time_point now) {
  auto& spares = the_shelf();
  mappings old;
  {
    const std::lock_guard guard{spares.mutex};
    if (now < spares.end)
      return spares.end - now;
    spares.end = clock::time_point::min();
    spares.is_open = false;
    std::swap(old, spares.kept);
  }
#ifdef __linux__
  for (const auto& each : old)
    if (each.data != nullptr)
      ::munmap(each.data, each.bytes);
#endif
  return std::nullopt;
}

} // namespace

spare_memory::trimmer::trimmer() noexcept {
  trims = true;
}

spare_memory::trimmer::~trimmer() {
  trims = false;
  give_back(clock::time_point::max());
}

spare_memory::mapping spare_memory::take(std::size_t bytes) {
  auto& spares = the_shelf();
  const std::lock_guard guard{spares.mutex};
  if (trims) {
    spares.end = clock::now() + time_kept;
    spares.is_open = true;
  }
  auto* best = spares.kept.data();
  for (auto& each : spares.kept)
    if (suits_better(each, *best, bytes))
      best = &each;
  return std::exchange(*best, {});
}

bool spare_memory::give(mapping spare) noexcept {
  if (is_address_sanitized)
    return false;
  auto& spares = the_shelf();
  const std::lock_guard guard{spares.mutex};
  if (clock::now() >= spares.end)
    return false;
  auto* place = std::find_if(spares.kept.begin(), spares.kept.end(),
                             [](const auto& kept) { return kept.bytes == 0; });
  if (place == spares.kept.end())
    return false;
  *place = spare;
  return true;
}

std::optional<clock::duration> spare_memory::time_left() {
  if (!the_shelf().is_open)
    return std::nullopt;
  return give_back(clock::now());
}

} // namespace caf_mcp
