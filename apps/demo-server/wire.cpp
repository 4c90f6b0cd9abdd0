#include "wire.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <poll.h>
#include <unistd.h>

namespace demo {

namespace {

/// Room kept for one read, in bytes. Wider than a default pipe (64 KiB), so
/// that a client that widens the pipe gets its requests read in one go.
constexpr std::size_t read_size = 262'144;

} // namespace

line_reader::line_reader(int fd) : fd_{fd}, buffer_(2 * read_size) {
}

bool line_reader::fill() {
  make_room();
  for (;;) {
    const auto count
      = ::read(fd_, buffer_.data() + end_, buffer_.size() - end_);
    if (count > 0) {
      end_ += static_cast<std::size_t>(count);
      return true;
    }
    if (count == 0 || errno != EINTR)
      return false;
  }
}

std::optional<std::string_view> line_reader::next() {
  const auto* found = static_cast<const char*>(
    std::memchr(buffer_.data() + scanned_, '\n', end_ - scanned_));
  if (found == nullptr) {
    scanned_ = end_;
    return std::nullopt;
  }
  const auto newline = static_cast<std::size_t>(found - buffer_.data());
  const std::string_view line{buffer_.data() + begin_, newline - begin_};
  begin_ = scanned_ = newline + 1;
  return line;
}

void line_reader::make_room() {
  if (begin_ == end_) {
    begin_ = scanned_ = end_ = 0;
  } else if (buffer_.size() - end_ < read_size && begin_ > 0) {
    std::copy(buffer_.data() + begin_, buffer_.data() + end_, buffer_.data());
    scanned_ -= begin_;
    end_ -= begin_;
    begin_ = 0;
  }
  if (buffer_.size() - end_ < read_size)
    buffer_.resize(2 * buffer_.size());
}

bool write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const auto count = ::write(fd, bytes.data(), bytes.size());
    if (count >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(count));
    } else if (errno == EAGAIN) {
      // Not ours to decide: whoever started us made the descriptor so.
      pollfd writable{fd, POLLOUT, 0};
      ::poll(&writable, 1, -1);
    } else if (errno != EINTR) {
      return false;
    }
  }
  return true;
}

} // namespace demo
