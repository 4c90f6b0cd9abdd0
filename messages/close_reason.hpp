#pragma once

#include "caf_mcp/messages/enum_inspect.hpp"
#include "caf_mcp/messages/errc.hpp"
#include "caf_mcp/messages/json/payload.hpp"

#include <caf/error.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace caf_mcp {

/// Says why a connection, or one process behind it, ended. The names are the
/// values of `data.reason` in a `connection_closed` error.
enum class close_cause : std::uint8_t {
  /// A caller asked for it.
  closed,
  /// The owner of the connection died.
  owner_down,
  /// The runtime that hosts the connection was shut down.
  runtime_shutdown,
  /// The process ended with an exit status (`number`).
  exit_status,
  /// The process was killed by a signal (`number`).
  signal,
  /// The server closed its stdin; a write failed with EPIPE.
  server_closed_stdin,
  /// The server closed its stdout but lived on.
  server_closed_stdout,
  /// A line was longer than `max_message_bytes` (`number`).
  message_too_large,
  /// More than `max_junk_lines` (`number`) lines in a row were not JSON-RPC.
  junk_output,
  /// More than `max_unwritten_bytes` (`number`) waited to be written, and the
  /// server took no byte for `write_stall`.
  write_queue_full,
  /// The executable was not found.
  command_not_found,
  /// The operating system refused to start the process.
  spawn_failed,
  /// The handshake failed or took too long.
  handshake_failed,
  /// No common protocol version.
  unsupported_protocol_version,
  /// An actor the connection depends on died unexpectedly.
  internal_error,
  /// The node that hosts the server cannot be reached.
  node_lost,
  /// A server of the same hub that this one depends on is not ready.
  dependency_lost,
};

std::string_view to_string(close_cause cause) noexcept;

template <class Inspector>
bool inspect(Inspector& f, close_cause& x) {
  return enum_inspect(f, x);
}

/// Why something ended, with what is known about it.
struct close_reason {
  close_cause cause = close_cause::closed;
  /// The exit status, the signal or the limit that `cause` speaks of; else 0.
  std::int64_t number = 0;
  /// A sentence for people; may be empty.
  std::string detail;
  /// The last 8 KiB the server wrote to stderr, if `stderr` is captured.
  std::string stderr_tail;
  /// The server's own JSON-RPC error, if it refused the handshake.
  payload server_error{};
};

template <class Inspector>
bool inspect(Inspector& f, close_reason& x) {
  return f.object(x).fields(
    f.field("cause", x.cause), f.field("number", x.number),
    f.field("detail", x.detail), f.field("stderr_tail", x.stderr_tail),
    f.field("server_error", x.server_error));
}

/// Renders `{"reason": ..., "status" | "signal" | "limit": ...}` and, where
/// known, `"detail"`, `"stderr_tail"` and `"server_error"`. What is not valid
/// UTF-8 in them is replaced: a tail may start within a character.
boost::json::object to_json(const close_reason& reason);

/// Returns a sentence, e.g. `the server exited with status 3`.
std::string to_sentence(const close_reason& reason);

/// Returns the error that requests get when a connection ends for `reason`.
/// A server that could not be started or spoken to keeps its own code
/// (`command_not_found`, `spawn_failed`, `handshake_failed`,
/// `unsupported_protocol_version`); all else is `connection_closed`.
caf::error to_error(const close_reason& reason);

} // namespace caf_mcp
