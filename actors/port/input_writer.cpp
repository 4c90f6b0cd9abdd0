#include "caf_mcp/actors/port/input_writer.hpp"

#include <cerrno>
#include <unistd.h>

namespace caf_mcp {

namespace {

/// Bytes written before others of the loop get their turn: a server may read as
/// fast as this writes.
constexpr std::size_t bytes_per_turn = 1024 * 1024;

} // namespace

input_writer::state input_writer::write(int pipe) {
  std::size_t bytes_written = 0;
  while (!queue_.empty()) {
    if (bytes_written >= bytes_per_turn)
      return state::waiting;
    const auto bytes = queue_.view();
    const auto count = ::write(pipe, bytes.data(), bytes.size());
    if (count >= 0) {
      queue_.written(static_cast<std::size_t>(count));
      bytes_written += static_cast<std::size_t>(count);
      if (stall_.is_watching())
        stall_.progress(clock::now());
    } else if (errno == EAGAIN) {
      return state::waiting;
    } else if (errno != EINTR) {
      return state::lost;
    }
  }
  return state::drained;
}

std::optional<input_writer::clock::time_point> input_writer::watch() {
  if (queue_.is_over_limit() && !stall_.is_watching())
    return stall_.begin(clock::now());
  if (!queue_.is_over_limit())
    stall_.end();
  return std::nullopt;
}

} // namespace caf_mcp
