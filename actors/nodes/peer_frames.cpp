#include "caf_mcp/actors/nodes/peer_frames.hpp"

#include <algorithm>
#include <utility>

namespace caf_mcp {

namespace {

enum operation : std::uint8_t {
  server_handshake,
  client_handshake,
  direct_message,
  routed_message,
  monitor_message,
  down_message,
  heartbeat,
};

/// The only kind of node id that CAF gives to a process: by host and number.
constexpr std::byte hashed_id{1};

constexpr std::size_t length_at = 4;
constexpr std::size_t length_end = 8;

/// The most significant byte of a message's id, its bit that marks a response,
/// and the one that marks what CAF's streams send. CAF hands that to the stream
/// it names without a look at what it is, which ends the process if it is
/// something else.
constexpr std::size_t id_at = 8;
constexpr std::byte response_bit{0x80};
constexpr std::byte stream_bit{0x20};

bool is_of_stream(const std::byte* header) {
  return (header[id_at] & stream_bit) != std::byte{0};
}

bool is_of_response(const std::byte* header) {
  return (header[id_at] & response_bit) != std::byte{0};
}

bool has_payload(const std::byte* header) {
  return std::any_of(header + length_at, header + length_end,
                     [](std::byte each) { return each != std::byte{0}; });
}

} // namespace

bool peer_frames::accept(const std::byte* bytes, std::size_t size) {
  return operation_ ? accept_payload(bytes, size) : accept_header(bytes, size);
}

bool peer_frames::accept_header(const std::byte* bytes, std::size_t size) {
  is_message_ = false;
  if (size != header_bytes)
    return false;
  const auto what = std::to_integer<std::uint8_t>(bytes[0]);
  const auto is_introduction
    = what == server_handshake || what == client_handshake;
  if (what == routed_message || what > heartbeat
      || is_introduction == peer_.has_value()
      || (what == direct_message && is_of_stream(bytes)))
    return false;
  is_response_ = is_of_response(bytes);
  if (has_payload(bytes))
    operation_ = what;
  else if (what != heartbeat)
    return false;
  return true;
}

bool peer_frames::accept_payload(const std::byte* bytes, std::size_t size) {
  const auto what = *std::exchange(operation_, std::nullopt);
  is_message_ = what == direct_message;
  has_answered_ = has_answered_ || (is_message_ && is_response_);
  if (what == direct_message || what == heartbeat)
    return true;
  if (size < node_id_bytes)
    return false;
  node_id speaker;
  std::copy_n(bytes, node_id_bytes, speaker.begin());
  if (!peer_) {
    peer_ = speaker;
    return speaker.front() == hashed_id && speaker != own_;
  }
  return speaker == peer_ && size >= 2 * node_id_bytes
         && std::equal(own_.begin(), own_.end(), bytes + node_id_bytes);
}

} // namespace caf_mcp
