#pragma once

#include <unistd.h>
#include <utility>

namespace caf_mcp {

/// Owns a file descriptor.
class unique_fd {
public:
  unique_fd() noexcept = default;

  explicit unique_fd(int fd) noexcept : fd_{fd} {
    // nop
  }

  unique_fd(unique_fd&& other) noexcept : fd_{other.release()} {
    // nop
  }

  unique_fd& operator=(unique_fd&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }

  ~unique_fd() {
    reset();
  }

  int get() const noexcept {
    return fd_;
  }

  explicit operator bool() const noexcept {
    return fd_ >= 0;
  }

  /// Gives the descriptor up without closing it.
  int release() noexcept {
    return std::exchange(fd_, -1);
  }

  void reset() noexcept {
    if (fd_ >= 0)
      ::close(std::exchange(fd_, -1));
  }

private:
  int fd_ = -1;
};

} // namespace caf_mcp
