#pragma once

#include <cstddef>

namespace caf_mcp {

/// Asks the kernel to back memory that was just allocated with huge pages
/// (madvise(2), MADV_HUGEPAGE), if it has at least 4 MiB: half the cost of a
/// large message is the first touch of its pages. Without effect where there
/// are none.
void prefer_huge_pages(void* memory, std::size_t bytes) noexcept;

} // namespace caf_mcp
