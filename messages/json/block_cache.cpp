#include "caf_mcp/messages/json/block_cache.hpp"

#include "caf_mcp/messages/json/address_sanitizer.hpp"

#include <new>
#include <utility>

namespace caf_mcp {

namespace {

/// Blocks a thread keeps, at most: 512 KiB.
constexpr std::size_t kept_max = is_address_sanitized ? 0 : 512;

struct free_block {
  free_block* next;
};

/// Plain data, so that it can be used while a thread ends.
thread_local free_block* kept = nullptr;
thread_local std::size_t kept_count = 0;

/// Gives the blocks of a thread back to the heap when it ends.
struct at_thread_end {
  ~at_thread_end() {
    while (kept != nullptr)
      ::operator delete(std::exchange(kept, kept->next));
    kept_count = kept_max; // what comes later goes to the heap at once
  }
};

} // namespace

void* block_cache::take() {
  if (kept == nullptr)
    return ::operator new(block_bytes);
  --kept_count;
  return std::exchange(kept, kept->next);
}

void block_cache::give(void* block) noexcept {
  thread_local at_thread_end cleaner;
  static_cast<void>(cleaner);
  if (kept_count == kept_max) {
    ::operator delete(block);
    return;
  }
  ++kept_count;
  kept = ::new (block) free_block{kept};
}

} // namespace caf_mcp
