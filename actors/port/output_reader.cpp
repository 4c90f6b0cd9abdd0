#include "caf_mcp/actors/port/output_reader.hpp"

#include <algorithm>
#include <cerrno>
#include <sys/ioctl.h>
#include <unistd.h>
#include <utility>

namespace caf_mcp {

namespace {

/// Bytes read at once.
constexpr std::size_t read_bytes_min = 64 * 1024;

/// Returns how much a pipe holds.
std::size_t bytes_in(int pipe) {
  auto count = 0;
  return ::ioctl(pipe, FIONREAD, &count) == 0 ? static_cast<std::size_t>(count)
                                              : 0;
}

} // namespace

output_reader::state output_reader::read(int pipe, messages& out,
                                         read_turn& turn) {
  const auto result = read_turn_of(pipe, out, turn);
  if (result == state::ended)
    stream_.finish(out);
  return result;
}

output_reader::state output_reader::read_turn_of(int pipe, messages& out,
                                                 read_turn& turn) {
  auto is_empty = false;
  for (;;) {
    fatal_ = stream_.read(out, turn);
    if (fatal_)
      return state::open;
    if (turn.is_over())
      return state::full;
    if (is_empty || turn.is_read_over())
      return state::open;
    auto* room = stream_.prepare(read_bytes_min);
    const auto room_bytes = stream_.room();
    const auto count = ::read(pipe, room, room_bytes);
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0)
      return errno == EAGAIN ? state::open : state::ended;
    if (count == 0)
      return state::ended;
    stream_.commit(static_cast<std::size_t>(count));
    turn.add_read(static_cast<std::size_t>(count));
    is_empty = static_cast<std::size_t>(count) < room_bytes;
  }
}

void output_reader::read_rest(int pipe,
                              const std::function<void(messages)>& deliver) {
  auto bytes_left = bytes_in(pipe);
  for (auto is_over = false; !is_over && !fatal_;) {
    messages out;
    is_over = !read_some(pipe, bytes_left);
    decode_all(out);
    if (is_over && !fatal_)
      stream_.finish(out);
    deliver(std::move(out));
  }
}

/// Reads some of the last `bytes_left` bytes. Returns whether there may be
/// more.
bool output_reader::read_some(int pipe, std::size_t& bytes_left) {
  if (bytes_left == 0)
    return false;
  auto* room = stream_.prepare(read_bytes_min);
  const auto count = ::read(pipe, room, std::min(stream_.room(), bytes_left));
  if (count <= 0)
    return count < 0 && errno == EINTR;
  stream_.commit(static_cast<std::size_t>(count));
  bytes_left -= static_cast<std::size_t>(count);
  return bytes_left > 0;
}

/// Decodes what was read. It is bounded, so no other turn is needed.
void output_reader::decode_all(messages& out) {
  for (auto is_over = false; !is_over && !fatal_;) {
    read_turn turn;
    fatal_ = stream_.read(out, turn);
    is_over = !turn.is_over();
  }
}

} // namespace caf_mcp
