#include "caf_mcp/messages/wire/large_memory.hpp"

#include "tests/support/resident_memory.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cstddef>
#include <initializer_list>

namespace caf_mcp {

namespace {

constexpr std::size_t mib = std::size_t{1024} * 1024;

/// Fills memory with what tells its places apart.
void fill(void* memory, std::size_t begin, std::size_t end) {
  for (auto at = begin; at < end; ++at)
    static_cast<char*>(memory)[at] = static_cast<char>(at % 251);
}

bool is_filled(const void* memory, std::size_t bytes) {
  for (std::size_t at = 0; at < bytes; ++at)
    if (static_cast<const char*>(memory)[at] != static_cast<char>(at % 251))
      return false;
  return true;
}

} // namespace

TEST_CASE("memory keeps its content while it grows from the heap to mappings",
          "[large_memory]") {
  std::size_t bytes = 1000;
  auto* memory = grow_memory(nullptr, 0, bytes);
  fill(memory, 0, bytes);
  for (auto larger :
       {mib, large_memory_min - 1, large_memory_min, 7 * mib + 1, 20 * mib}) {
    memory = grow_memory(memory, bytes, larger);
    REQUIRE(is_filled(memory, bytes));
    fill(memory, bytes, larger);
    bytes = larger;
  }
  CHECK(is_filled(memory, bytes));
  free_memory(memory, bytes);
}

TEST_CASE("large memory grows from none", "[large_memory]") {
  auto* memory = grow_memory(nullptr, 0, 8 * mib);
  fill(memory, 0, 8 * mib);
  CHECK(is_filled(memory, 8 * mib));
  free_memory(memory, 8 * mib);
}

TEST_CASE("large memory that is never touched takes no memory",
          "[large_memory]") {
  const auto before = tests::resident_bytes();
  auto* memory = allocate_memory(1024 * mib);
  CHECK(tests::resident_bytes() < before + tests::memory_noise_bytes);
  free_memory(memory, 1024 * mib);
}

TEST_CASE("large memory goes back to the system at once where nobody trims",
          "[large_memory]") {
  const auto before = tests::resident_bytes();
  for (auto i = 0; i < 3; ++i) {
    auto* memory = static_cast<char*>(allocate_memory(256 * mib));
    std::fill_n(memory, 256 * mib, 'x');
    CHECK(tests::resident_bytes() >= 256 * mib);
    free_memory(memory, 256 * mib);
  }
  CHECK(tests::resident_bytes() < before + tests::memory_noise_bytes);
}

TEST_CASE("freeing no memory does nothing", "[large_memory]") {
  free_memory(nullptr, 0);
}

} // namespace caf_mcp
