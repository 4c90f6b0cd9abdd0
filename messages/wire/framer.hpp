#pragma once

#include "caf_mcp/messages/wire/byte_buffer.hpp"

#include <cstddef>
#include <optional>
#include <string_view>

namespace caf_mcp {

/// Says what a framer found.
enum class frame_kind {
  /// A complete line.
  line,
  /// The current line is longer than allowed; `text` is what fits the limit.
  /// Comes once a line, as soon as the limit is passed.
  oversized,
  /// The end of an oversized line that was discarded; `text` is its tail, at
  /// most 4 KiB.
  oversized_end,
};

/// A piece of input. `text` is valid until the framer is used again.
struct frame {
  frame_kind kind = frame_kind::line;
  std::string_view text;
};

/// Cuts a byte stream into lines. Only LF ends a line (MCP, stdio: messages are
/// delimited by newlines); one CR before it and a byte order mark at the start
/// of a line are stripped and do not count against the limit, blank lines are
/// skipped. The frames do not depend on how the chunks fall. Looks at each byte
/// once, and never holds more than one maximal line plus what was read last.
class framer {
public:
  explicit framer(std::size_t line_bytes_max);

  /// Returns room for at least `bytes_min` bytes of input.
  char* prepare(std::size_t bytes_min) {
    return buffer_.prepare(bytes_min);
  }

  /// Returns the size of that room in bytes.
  std::size_t room() const noexcept {
    return buffer_.room();
  }

  /// Takes over the first `bytes` bytes of the room.
  void commit(std::size_t bytes) noexcept {
    buffer_.commit(bytes);
  }

  /// Returns the next frame, or nothing if more input is needed. After
  /// `oversized` the rest of that line is dropped as it arrives.
  std::optional<frame> next();

  /// Returns what is left at the end of the input: first the frames that `next`
  /// would return, then the last line if it has no newline.
  std::optional<frame> finish();

  /// Returns the part of the current line that has arrived; valid until the
  /// framer is written to.
  std::string_view unfinished() const noexcept {
    return buffer_.view().substr(spent_);
  }

  /// Returns the bytes allocated.
  std::size_t capacity() const noexcept {
    return buffer_.capacity();
  }

private:
  std::optional<frame> next_line(std::string_view input, std::size_t newline);
  std::optional<frame> no_newline(std::string_view input);
  frame start_drop(std::string_view line);
  std::optional<frame> drop(std::string_view input);

  byte_buffer buffer_;
  std::size_t line_bytes_max_;
  /// Bytes at the front of the buffer that the last frame spans.
  std::size_t spent_ = 0;
  /// Bytes behind `spent_` known to hold no newline.
  std::size_t scanned_ = 0;
  /// Whether the line being read is dropped.
  bool dropping_ = false;
};

} // namespace caf_mcp
