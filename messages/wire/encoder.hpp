#pragma once

#include "caf_mcp/messages/json_rpc.hpp"
#include "caf_mcp/messages/wire/byte_buffer.hpp"

#include <cstdint>

namespace caf_mcp {

/// Says whether a message could be written.
enum class encode_result : std::uint8_t {
  written,
  /// A string in it is not valid UTF-8 (MCP: messages must be UTF-8).
  not_utf8,
  /// A number in it is infinite or NaN, which JSON cannot express, and was not
  /// parsed from a text that can.
  not_finite,
};

/// Writes messages as lines straight into an output buffer: no message is built
/// as a JSON value first, and no `params` are copied to add to them. Control
/// characters are escaped, so that a line holds exactly one LF, its last byte.
/// A `progressToken` in the `_meta` of a caller is left out: the only token of
/// a request is its id, which no other has. Numbers of a payload that was
/// parsed leave as its text spelled them.
class encoder {
public:
  /// Appends `message` to `out`, or leaves `out` as it was.
  encode_result encode(const outgoing_message& message, byte_buffer& out);
};

} // namespace caf_mcp
