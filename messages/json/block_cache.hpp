#pragma once

#include <cstddef>

namespace caf_mcp {

/// Blocks of one size for small documents. A thread keeps the blocks it gives
/// back for those it takes next, for a document is made in one thread and
/// dropped in another, which the heap punishes: the two would wait for each
/// other's lock. Any thread.
class block_cache {
public:
  /// The size of a block.
  static constexpr std::size_t block_bytes = 1024;

  static void* take();

  static void give(void* block) noexcept;
};

} // namespace caf_mcp
