#pragma once

#include "caf_mcp/messages/enum_inspect.hpp"
#include "caf_mcp/messages/fwd.hpp"

#include <cstdint>
#include <string_view>

namespace caf_mcp {

/// Says why an operation failed. All but `rpc_error` are made on this side; an
/// error the server sent is always `rpc_error`, whatever its code.
enum class errc : std::uint8_t {
  /// An option is missing, malformed or out of bounds; nothing was started.
  config_invalid = 1,
  /// No executable of that name exists in the server's `PATH`.
  command_not_found,
  /// The operating system refused to start the server.
  spawn_failed,
  /// The server answered the handshake with something unusable, or too late.
  handshake_failed,
  /// Client and server share no protocol version.
  unsupported_protocol_version,
  /// The connection is closed or was lost; `data.reason` says why.
  connection_closed,
  /// A message is longer than `max_message_bytes`.
  message_too_large,
  /// The server wrote more than `max_junk_lines` lines that are not JSON-RPC.
  junk_output,
  /// More than `max_unwritten_bytes` waited, and the server took no byte for
  /// `write_stall`.
  write_queue_full,
  /// The server closed its stdout but lived on.
  server_closed_stdout,
  /// No answer within the request's timeout.
  request_timeout,
  /// Progress kept a request alive until its upper bound.
  max_total_timeout,
  /// The caller cancelled the request.
  cancelled,
  /// The answer is not a valid JSON-RPC response, or cannot be decoded.
  invalid_response,
  /// A call asked for input more often than `max_input_rounds` allows.
  too_many_input_rounds,
  /// The request needs a capability that the server, or this side, did not
  /// declare.
  capability_missing,
  /// A handler of this side, or a receiver of progress, failed.
  handler_failed,
  /// The server returned a cursor that it had returned before.
  repeated_cursor,
  /// A listing has more pages than the caller allows.
  too_many_pages,
  /// A subscription was closed because its owner did not keep up.
  subscription_overflow,
  /// No server, tool or file of that name.
  not_found,
  /// The server answered with a JSON-RPC error.
  rpc_error,
  /// The server cancelled the task into which it had turned the call.
  task_cancelled,
  /// A node holds as much for this peer as it may, see `peer_limits`.
  too_many_requests,
};

/// Returns the stable name of a code, e.g. `"request_timeout"`; empty for a
/// value outside the enumeration.
std::string_view to_string(errc code) noexcept;

template <class Inspector>
bool inspect(Inspector& f, errc& x) {
  return enum_inspect(f, x);
}

/// Returns the JSON-RPC code under which a local error is reported: -32001 for
/// a timeout, -32602 for an invalid option, -32000 for all others.
int json_rpc_code(errc code) noexcept;

} // namespace caf_mcp
