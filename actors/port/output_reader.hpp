#pragma once

#include "caf_mcp/actors/port/inbound_stream.hpp"
#include "caf_mcp/actors/port/read_turn.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace caf_mcp {

/// Reads the stdout of a server, a pipe that does not block, into messages.
class output_reader {
public:
  enum class state : std::uint8_t {
    /// There is no more for now.
    open,
    /// There will be no more.
    ended,
    /// The turn is over; there may be more.
    full,
  };

  using messages = std::vector<incoming_message>;

  explicit output_reader(const server_options& options) : stream_{options} {
    // nop
  }

  /// Reads what the turn allows. At the end of the pipe, a last line without a
  /// newline counts.
  state read(int pipe, messages& out, read_turn& turn);

  /// Reads what the pipe holds now, and no more, though others may write on.
  /// Hands the messages over in bursts.
  void read_rest(int pipe, const std::function<void(messages)>& deliver);

  /// Returns why the connection must be closed, if what the server wrote is
  /// not to be borne; then nothing more may be read.
  const std::optional<close_reason>& fatal() const noexcept {
    return fatal_;
  }

  /// See `inbound_stream`.
  std::string diagnosis() const {
    return stream_.diagnosis();
  }

  std::vector<std::string> take_junk() {
    return stream_.take_junk();
  }

private:
  state read_turn_of(int pipe, messages& out, read_turn& turn);
  bool read_some(int pipe, std::size_t& bytes_left);
  void decode_all(messages& out);

  inbound_stream stream_;
  std::optional<close_reason> fatal_;
};

} // namespace caf_mcp
