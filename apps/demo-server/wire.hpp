// Bytes in and out: lines from stdin, whole buffers to stdout.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace demo {

/// Cuts what a file descriptor delivers into lines. Each byte is scanned once,
/// however the lines fall into reads.
class line_reader {
public:
  explicit line_reader(int fd);

  /// Reads once, as much as there is, and waits if there is nothing. Makes
  /// views returned by `next` invalid.
  /// @returns false at the end of the input or when reading fails.
  bool fill();

  /// Returns the next complete line without its newline, if there is one.
  std::optional<std::string_view> next();

private:
  void make_room();

  int fd_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0;   // Start of the line that is being collected.
  std::size_t scanned_ = 0; // Up to here there is no newline.
  std::size_t end_ = 0;     // End of what was read.
};

/// Writes all of `bytes`, however little the descriptor takes at a time.
/// @returns false when nobody will ever read them (`EPIPE`) or writing fails.
bool write_all(int fd, std::string_view bytes);

} // namespace demo
