#pragma once

#include <cstddef>
#include <cstring>
#include <string_view>

namespace caf_mcp {

/// A contiguous queue of bytes: filled at the back, consumed at the front.
/// Appending n bytes costs O(n) on average, however they are cut; consuming is
/// O(1).
class byte_buffer {
public:
  byte_buffer() noexcept = default;
  byte_buffer(byte_buffer&& other) noexcept;
  byte_buffer& operator=(byte_buffer other) noexcept;
  ~byte_buffer();

  /// Returns room for at least `bytes_min` bytes behind the content. Views of
  /// the content become invalid.
  char* prepare(std::size_t bytes_min) {
    return room() >= bytes_min ? memory_ + end_ : make_room(bytes_min);
  }

  /// Returns how many bytes the room behind the content has.
  std::size_t room() const noexcept {
    return capacity_ - end_;
  }

  /// Adds the first `bytes` bytes of the room to the content.
  void commit(std::size_t bytes) noexcept {
    end_ += bytes;
  }

  void append(std::string_view bytes) {
    if (bytes.empty())
      return;
    std::memcpy(prepare(bytes.size()), bytes.data(), bytes.size());
    commit(bytes.size());
  }

  void append(char byte) {
    *prepare(1) = byte;
    commit(1);
  }

  /// Drops `bytes` bytes from the front. A large buffer that becomes empty is
  /// given back to the system.
  void consume(std::size_t bytes) noexcept;

  /// Drops bytes from the back, so that `bytes` are left.
  void truncate(std::size_t bytes) noexcept {
    end_ = begin_ + bytes;
  }

  std::string_view view() const noexcept {
    return {memory_ + begin_, end_ - begin_};
  }

  std::size_t size() const noexcept {
    return end_ - begin_;
  }

  bool empty() const noexcept {
    return begin_ == end_;
  }

  /// Returns the bytes allocated.
  std::size_t capacity() const noexcept {
    return capacity_;
  }

private:
  char* make_room(std::size_t bytes_min);

  char* memory_ = nullptr;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  std::size_t capacity_ = 0;
};

} // namespace caf_mcp
