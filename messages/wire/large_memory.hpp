#pragma once

#include <cstddef>

namespace caf_mcp {

/// From this size on memory is a mapping of its own (Linux): growing moves
/// pages instead of bytes (mremap(2)), huge pages save most of the first
/// touches (madvise(2), MADV_HUGEPAGE), what is never touched costs nothing,
/// and all of it goes back to the system, if only after a moment (see
/// `spare_memory`). Less comes from the heap. Memory from here goes back only
/// here.
inline constexpr std::size_t large_memory_min = std::size_t{4} * 1024 * 1024;

/// Returns `bytes` bytes. Throws `std::bad_alloc`.
void* allocate_memory(std::size_t bytes);

/// Returns memory of `bytes` bytes with the content of `memory`, which had
/// `old_bytes` and is gone; null for none. Throws `std::bad_alloc`, and then
/// `memory` is as it was.
void* grow_memory(void* memory, std::size_t old_bytes, std::size_t bytes);

/// Frees memory of `bytes` bytes; null for none.
void free_memory(void* memory, std::size_t bytes) noexcept;

} // namespace caf_mcp
