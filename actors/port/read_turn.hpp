#pragma once

#include <chrono>
#include <cstddef>
#include <optional>

namespace caf_mcp {

/// What a port owner may read and decode before others of its loop get their
/// turn: bounded in messages, so that their receivers begin while others are
/// still decoded, in bytes, and in time.
class read_turn {
public:
  using clock = std::chrono::steady_clock;

  static constexpr std::size_t lines_max = 64;
  static constexpr std::size_t bytes_max = 256 * 1024;
  static constexpr std::chrono::microseconds time_max{1000};

  /// The time counts from the first look at the clock, so that a turn of few
  /// bytes takes none: most are of one small message.
  read_turn() = default;

  /// The time counts from `start`.
  explicit read_turn(clock::time_point start) noexcept
    : end_{start + time_max} {
    // nop
  }

  /// Takes note of bytes that were read.
  void add_read(std::size_t bytes) noexcept {
    bytes_read_ += bytes;
  }

  /// Takes note of a line that is about to be decoded.
  void add_line(std::size_t bytes) noexcept {
    ++lines_;
    bytes_decoded_ += bytes;
    bytes_since_look_ += bytes;
    if (bytes_since_look_ >= bytes_between_looks)
      look_at_clock();
  }

  bool is_over() const noexcept {
    return lines_ >= lines_max || bytes_decoded_ >= bytes_max || time_is_over_;
  }

  /// Returns whether nothing more may be read. Reading in vain, without a
  /// complete line, is bounded too.
  bool is_read_over() const noexcept {
    return bytes_read_ >= bytes_max || is_over();
  }

private:
  /// The clock is looked at between that many bytes: for small lines it would
  /// cost a part of their decoding.
  static constexpr std::size_t bytes_between_looks = 16 * 1024;

  void look_at_clock() noexcept {
    bytes_since_look_ = 0;
    const auto now = clock::now();
    if (!end_)
      end_ = now + time_max;
    time_is_over_ = now >= *end_;
  }

  std::optional<clock::time_point> end_;
  std::size_t lines_ = 0;
  std::size_t bytes_read_ = 0;
  std::size_t bytes_decoded_ = 0;
  std::size_t bytes_since_look_ = 0;
  bool time_is_over_ = false;
};

} // namespace caf_mcp
