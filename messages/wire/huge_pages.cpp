#include "caf_mcp/messages/wire/huge_pages.hpp"

#include <cstdint>
#ifdef __linux__
#  include <sys/mman.h>
#endif

namespace caf_mcp {

namespace {

constexpr std::size_t bytes_min = std::size_t{4} * 1024 * 1024;

/// Of a huge page on most machines; where it is another, less is gained.
constexpr std::size_t alignment = std::size_t{2} * 1024 * 1024;

} // namespace

void prefer_huge_pages([[maybe_unused]] void* memory,
                       std::size_t bytes) noexcept {
  if (bytes < bytes_min)
    return;
#ifdef __linux__
  auto address = reinterpret_cast<std::uintptr_t>(memory);
  const auto begin = (address + alignment - 1) / alignment * alignment;
  const auto end = (address + bytes) / alignment * alignment;
  ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
#endif
}

} // namespace caf_mcp
