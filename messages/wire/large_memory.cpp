#include "caf_mcp/messages/wire/large_memory.hpp"

#include "caf_mcp/messages/wire/spare_memory.hpp"

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

/// Whole huge pages, as most machines have them: the kernel aligns mappings of
/// that size by itself.
std::size_t mapped(std::size_t bytes) noexcept {
  constexpr std::size_t page = std::size_t{2} * 1024 * 1024;
  return (bytes + page - 1) / page * page;
}

void* not_failed(void* mapping) {
  if (mapping == MAP_FAILED)
    throw std::bad_alloc{};
  return mapping;
}

void* resize(void* mapping, std::size_t old_bytes, std::size_t bytes) {
  return not_failed(::mremap(mapping, old_bytes, bytes, MREMAP_MAYMOVE));
}

void* map(std::size_t bytes) {
  const auto wanted = mapped(bytes);
  if (const auto spare = spare_memory::take(wanted); spare.data != nullptr)
    return resize(spare.data, spare.bytes, wanted);
  auto* result
    = not_failed(::mmap(nullptr, wanted, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
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
    return resize(memory, mapped(old_bytes), mapped(bytes));
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
