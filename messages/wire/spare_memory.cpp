#include "caf_mcp/messages/wire/spare_memory.hpp"

#include <atomic>
#include <map>
#include <mutex>
#ifdef __linux__
#  include <sys/mman.h>
#endif

namespace caf_mcp {

namespace {

using clock = std::chrono::steady_clock;

constexpr std::chrono::seconds time_kept{1};

/// A large message takes two: its text and its document.
constexpr std::size_t kept_max = 2;

thread_local bool trims = false;

struct shelf {
  std::mutex mutex;
  std::multimap<std::size_t, void*> kept;
  clock::time_point end;
  /// Whether `end` may be ahead: what threads that go to sleep look at.
  std::atomic<bool> is_open = false;
};

/// Is never destroyed: memory is freed later than all variables.
shelf& the_shelf() {
  static auto& instance = *new shelf;
  return instance;
}

/// Gives everything back unless `now` is before the end; returns the time until
/// then.
std::optional<clock::duration> give_back(clock::time_point now) {
  auto& spares = the_shelf();
  std::multimap<std::size_t, void*> old;
  {
    const std::lock_guard guard{spares.mutex};
    if (now < spares.end)
      return spares.end - now;
    spares.end = clock::time_point::min();
    spares.is_open = false;
    old.swap(spares.kept);
  }
#ifdef __linux__
  for (const auto& [bytes, data] : old)
    ::munmap(data, bytes);
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
  if (spares.kept.empty())
    return {};
  auto found = spares.kept.lower_bound(bytes);
  if (found == spares.kept.end())
    --found;
  const mapping result{found->second, found->first};
  spares.kept.erase(found);
  return result;
}

bool spare_memory::give(mapping spare) {
  auto& spares = the_shelf();
  const std::lock_guard guard{spares.mutex};
  if (spares.kept.size() == kept_max || clock::now() >= spares.end)
    return false;
  spares.kept.emplace(spare.bytes, spare.data);
  return true;
}

std::optional<clock::duration> spare_memory::time_left() {
  if (!the_shelf().is_open)
    return std::nullopt;
  return give_back(clock::now());
}

} // namespace caf_mcp
