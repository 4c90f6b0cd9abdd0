#include "caf_mcp/messages/wire/byte_buffer.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

namespace caf_mcp {

namespace {

constexpr std::size_t capacity_min = std::size_t{4} * 1024;

/// Above this, an empty buffer is not kept.
constexpr std::size_t kept_bytes_max = std::size_t{1024} * 1024;

} // namespace

byte_buffer::byte_buffer(byte_buffer&& other) noexcept
  : memory_{std::exchange(other.memory_, nullptr)},
    begin_{std::exchange(other.begin_, 0)},
    end_{std::exchange(other.end_, 0)},
    capacity_{std::exchange(other.capacity_, 0)} {
  // nop
}

byte_buffer& byte_buffer::operator=(byte_buffer other) noexcept {
  std::swap(memory_, other.memory_);
  std::swap(begin_, other.begin_);
  std::swap(end_, other.end_);
  std::swap(capacity_, other.capacity_);
  return *this;
}

byte_buffer::~byte_buffer() {
  std::free(memory_);
}

char* byte_buffer::make_room(std::size_t bytes_min) {
  // Move the content to the front when that frees at least as much as it moves;
  // else the moves would add up to a quadratic cost.
  if (begin_ >= size() && begin_ + room() >= bytes_min) {
    std::memmove(memory_, memory_ + begin_, size());
    end_ -= begin_;
    begin_ = 0;
    return memory_ + end_;
  }
  const auto wanted = std::max({capacity_min, capacity_ * 2, end_ + bytes_min});
  auto* grown = static_cast<char*>(std::realloc(memory_, wanted));
  if (grown == nullptr)
    throw std::bad_alloc{};
  memory_ = grown;
  capacity_ = wanted;
  return memory_ + end_;
}

void byte_buffer::consume(std::size_t bytes) noexcept {
  begin_ += bytes;
  if (begin_ < end_)
    return;
  begin_ = 0;
  end_ = 0;
  if (capacity_ > kept_bytes_max) {
    std::free(std::exchange(memory_, nullptr));
    capacity_ = 0;
  }
}

} // namespace caf_mcp
