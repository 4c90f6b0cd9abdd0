#include "caf_mcp/messages/wire/byte_buffer.hpp"

#include "caf_mcp/messages/wire/huge_pages.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

namespace caf_mcp {

namespace {

constexpr std::size_t capacity_min = std::size_t{4} * 1024;

/// Above this, an empty buffer is not kept.
constexpr std::size_t kept_bytes_max = std::size_t{1024} * 1024;

} // namespace

void byte_buffer::free_memory::operator()(char* memory) const noexcept {
  std::free(memory);
}

char* byte_buffer::make_room(std::size_t bytes_min) {
  // Move the content to the front when that frees at least as much as it moves;
  // else the moves would add up to a quadratic cost.
  if (begin_ >= size() && begin_ + room() >= bytes_min) {
    std::memmove(memory_.get(), memory_.get() + begin_, size());
    end_ -= begin_;
    begin_ = 0;
    return memory_.get() + end_;
  }
  auto wanted = std::max({capacity_min, capacity_ * 2, end_ + bytes_min});
  auto* grown = static_cast<char*>(std::realloc(memory_.get(), wanted));
  if (grown == nullptr)
    throw std::bad_alloc{};
  prefer_huge_pages(grown, wanted);
  static_cast<void>(memory_.release());
  memory_.reset(grown);
  capacity_ = wanted;
  return grown + end_;
}

void byte_buffer::consume(std::size_t bytes) noexcept {
  begin_ += bytes;
  if (begin_ < end_)
    return;
  begin_ = 0;
  end_ = 0;
  if (capacity_ > kept_bytes_max) {
    memory_.reset();
    capacity_ = 0;
  }
}

} // namespace caf_mcp
