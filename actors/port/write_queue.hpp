#pragma once

#include "caf_mcp/messages/errc.hpp"
#include "caf_mcp/messages/wire/byte_buffer.hpp"
#include "caf_mcp/messages/wire/encoder.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace caf_mcp {

/// Says what became of a message that was to be queued.
enum class push_result : std::uint8_t {
  queued,
  /// It holds a string that is not valid UTF-8; nothing was queued.
  not_utf8,
  /// It holds a number that JSON cannot express; nothing was queued.
  not_finite,
  /// It alone is longer than allowed; nothing was queued.
  too_large,
};

/// Why a message was not queued.
struct refusal {
  errc code;
  std::string detail;
};

/// Explains a `push` of a message that was not queued.
refusal explain(push_result result, std::size_t line_bytes_max);

/// The lines that wait to be written to a server, in one buffer, so that any
/// number of them takes one system call. Knows of which requests not a byte was
/// written: these, and only these, were certainly not seen by the server.
class write_queue {
public:
  /// Encodes `message` to the end of the queue, unless its line would be longer
  /// than `line_bytes_max`.
  push_result push(const outgoing_message& message, std::size_t line_bytes_max);

  /// Returns the bytes to write next.
  std::string_view view() const noexcept {
    return buffer_.view();
  }

  /// Returns the bytes that wait.
  std::size_t size() const noexcept {
    return buffer_.size();
  }

  bool empty() const noexcept {
    return buffer_.empty();
  }

  /// Takes note that the first `bytes` bytes were written.
  void written(std::size_t bytes);

  /// Returns the ids of the requests of which nothing was written, in order.
  std::vector<std::int64_t> unsent() const;

private:
  /// Where the line of a request starts, in bytes since the queue was made.
  struct mark {
    std::int64_t id;
    std::uint64_t start;
  };

  byte_buffer buffer_;
  encoder encoder_;
  std::deque<mark> marks_;
  std::uint64_t bytes_written_ = 0;
};

} // namespace caf_mcp
