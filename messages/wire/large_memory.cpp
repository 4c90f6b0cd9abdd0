#include "caf_mcp/messages/wire/large_memory.hpp"

#include "caf_mcp/messages/wire/spare_memory.hpp"

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#ifdef __linux__
#  include <sys/mman.h>
#endif

namespace caf_mcp {

namespace {

void* not_null(void* memory) {
  if (memory == nullptr)
    throw std::bad_alloc{};
  return memory;
}

#ifdef __linux__

bool is_large(std::size_t bytes) noexcept {
  return bytes >= large_memory_min;
}

/// A huge page on most machines; where it is another, less is gained.
constexpr std::size_t huge_page = std::size_t{2} * 1024 * 1024;

/// Returns what is mapped for `bytes`: whole huge pages.
std::size_t mapped(std::size_t bytes) noexcept {
  return (bytes + huge_page - 1) / huge_page * huge_page;
}

void* not_failed(void* mapping) {
  if (mapping == MAP_FAILED)
    throw std::bad_alloc{};
  return mapping;
}

void* map_anywhere(std::size_t bytes) {
  return not_failed(::mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
}

/// Returns how far it is from `memory` to the next huge page.
std::size_t misalignment(void* memory) noexcept {
  const auto address = reinterpret_cast<std::uintptr_t>(memory);
  return mapped(address) - address;
}

/// Maps whole huge pages. Linux aligns such mappings by itself since 6.7; for
/// older ones a page more is mapped, and what is too much goes.
void* map_aligned(std::size_t bytes) {
  auto* result = map_anywhere(bytes);
  if (misalignment(result) == 0)
    return result;
  ::munmap(result, bytes);
  auto* wide = static_cast<char*>(map_anywhere(bytes + huge_page));
  const auto before = misalignment(wide);
  if (before > 0)
    ::munmap(wide, before);
  if (before < huge_page)
    ::munmap(wide + before + bytes, huge_page - before);
  return wide + before;
}

void* map(std::size_t bytes) {
  const auto wanted = mapped(bytes);
  if (const auto spare = spare_memory::take(wanted); spare.data != nullptr) {
    auto* result = ::mremap(spare.data, spare.bytes, wanted, MREMAP_MAYMOVE);
    if (result != MAP_FAILED)
      return result;
    ::munmap(spare.data, spare.bytes);
  }
  auto* result = map_aligned(wanted);
  ::madvise(result, wanted, MADV_HUGEPAGE);
  return result;
}

#endif

} // namespace

void* allocate_memory(std::size_t bytes) {
#ifdef __linux__
  if (is_large(bytes))
    return map(bytes);
#endif
  return not_null(std::malloc(bytes));
}

void* grow_memory(void* memory, std::size_t old_bytes, std::size_t bytes) {
#ifdef __linux__
  if (is_large(old_bytes))
    return not_failed(
      ::mremap(memory, mapped(old_bytes), mapped(bytes), MREMAP_MAYMOVE));
  if (is_large(bytes)) {
    auto* result = map(bytes);
    if (memory != nullptr)
      std::memcpy(result, memory, old_bytes);
    std::free(memory);
    return result;
  }
#endif
  return not_null(std::realloc(memory, bytes));
}

void free_memory(void* memory, [[maybe_unused]] std::size_t bytes) noexcept {
#ifdef __linux__
  if (is_large(bytes)) {
    if (!spare_memory::give({memory, mapped(bytes)}))
      ::munmap(memory, mapped(bytes));
    return;
  }
#endif
  std::free(memory);
}

} // namespace caf_mcp
