#pragma once

#include "caf_mcp/messages/json_rpc.hpp"
#include "caf_mcp/messages/wire/byte_buffer.hpp"

#include <boost/json/serializer.hpp>

#include <cstdint>
#include <string_view>

namespace caf_mcp {

/// Says whether a message could be written.
enum class encode_result : std::uint8_t {
  written,
  /// A string in it is not valid UTF-8 (MCP: messages must be UTF-8).
  not_utf8,
  /// A number in it is infinite or NaN, which JSON cannot express.
  not_finite,
};

/// Writes messages as lines straight into an output buffer: no message is built
/// as a JSON value first, and no `params` are copied to add to them. Control
/// characters are escaped, so that a line holds exactly one LF, its last byte.
/// A `progressToken` in the `_meta` of a caller is left out: the only token of
/// a request is its id, which no other has.
///
/// Keeps the serializer's state between messages; for use by one thread.
class encoder {
public:
  /// Appends `message` to `out`, or leaves `out` as it was.
  encode_result encode(const outgoing_message& message, byte_buffer& out);

private:
  void write(const outgoing_request& message, byte_buffer& out);
  void write(const outgoing_notification& message, byte_buffer& out);
  void write(const outgoing_response& message, byte_buffer& out);
  void write_outcome(const payload& result, byte_buffer& out);
  void write_outcome(const rpc_error& error, byte_buffer& out);
  void write_params(const outgoing_request& message, byte_buffer& out);
  void write_meta(const outgoing_request& message, byte_buffer& out);
  void write_member(std::string_view key, const boost::json::value& value,
                    bool& first, byte_buffer& out);
  void write_value(const boost::json::value& value, byte_buffer& out);
  void write_object(const boost::json::object& object, byte_buffer& out);
  void write_array(const boost::json::array& array, byte_buffer& out);
  void write_double(double number, byte_buffer& out);
  void write_text(std::string_view text, byte_buffer& out);
  void write_serialized(byte_buffer& out);

  boost::json::serializer serializer_;
  /// Whether all numbers of the message being written are finite.
  bool is_finite_ = true;
  /// Whether the message being written is known to be ASCII, so far.
  bool is_ascii_ = true;
};

} // namespace caf_mcp
