#pragma once

#include "caf_mcp/actors/port/read_turn.hpp"
#include "caf_mcp/messages/close_reason.hpp"
#include "caf_mcp/messages/json_rpc.hpp"
#include "caf_mcp/messages/server_options.hpp"
#include "caf_mcp/messages/wire/decoder.hpp"
#include "caf_mcp/messages/wire/framer.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace caf_mcp {

/// Turns what a server writes to its stdout into messages, and enforces the
/// limits on it: `max_message_bytes` for a line, and `max_junk_lines` in a row
/// that are not JSON-RPC.
class inbound_stream {
public:
  explicit inbound_stream(const server_options& options);

  /// Returns room for at least `bytes_min` bytes of output.
  char* prepare(std::size_t bytes_min) {
    return framer_.prepare(bytes_min);
  }

  /// Returns the size of that room in bytes.
  std::size_t room() const noexcept {
    return framer_.room();
  }

  /// Takes over `bytes` bytes of the room.
  void commit(std::size_t bytes) noexcept {
    framer_.commit(bytes);
  }

  /// Appends the messages that are complete to `out`, until the turn is over.
  /// Returns why the connection must be closed, if it must; then nothing more
  /// may be read.
  std::optional<close_reason> read(std::vector<incoming_message>& out,
                                   read_turn& turn);

  /// Appends a last message without a newline, if there is one.
  void finish(std::vector<incoming_message>& out);

  /// Tells what was seen that was no message: the last line of junk, the start
  /// of an unfinished line. Empty if there is nothing to tell.
  std::string diagnosis() const;

  /// Returns excerpts of the junk read since this was last asked for, if any
  /// is kept.
  std::vector<std::string> take_junk() {
    return std::exchange(junk_, {});
  }

private:
  std::optional<close_reason> take_line(std::string_view line,
                                        std::vector<incoming_message>& out);
  std::optional<close_reason>
  take_oversized(std::string_view head, std::vector<incoming_message>& out);
  void take_oversized_end(std::string_view tail,
                          std::vector<incoming_message>& out);

  framer framer_;
  decoder decoder_;
  std::size_t message_bytes_max_;
  oversize_policy on_oversize_;
  std::uint32_t junk_lines_max_;
  std::uint32_t junk_lines_ = 0;
  std::string last_junk_;
  std::vector<std::string> junk_;
  /// Whether the request that an oversized line answers is still to be found.
  bool tail_may_tell_id_ = false;
};

} // namespace caf_mcp
