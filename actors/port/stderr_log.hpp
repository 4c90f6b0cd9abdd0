#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace caf_mcp {

/// Keeps the end of what a server writes to its stderr, and cuts it into lines.
/// Needs neither newlines nor valid UTF-8; its memory is bounded.
class stderr_log {
public:
  /// Bytes kept for the error when the server dies.
  static constexpr std::size_t tail_bytes_max = 8 * 1024;

  /// A longer line is cut into lines of this many bytes.
  static constexpr std::size_t line_bytes_max = 8 * 1024;

  /// Takes `bytes`; returns the lines that are complete now, without their line
  /// ends.
  std::vector<std::string> write(std::string_view bytes);

  /// Returns the last line if it has no newline.
  std::vector<std::string> finish();

  /// Returns the last `tail_bytes_max` bytes as valid UTF-8; what is not is
  /// replaced.
  std::string tail() const;

private:
  void end_line(std::vector<std::string>& lines);

  std::string tail_;
  std::string line_;
};

} // namespace caf_mcp
