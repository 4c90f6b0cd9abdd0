#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace caf_mcp {

/// Checks what a peer writes before CAF acts on it. CAF lets a peer speak for
/// any node; here it speaks for the one that it has introduced itself as, to
/// this node alone, and passes nothing on. Frames are those of BASP, CAF's
/// protocol: a header of 32 bytes, and a payload.
class peer_frames {
public:
  /// As CAF writes it: its kind, the process, and the host.
  static constexpr std::size_t node_id_bytes = 25;
  using node_id = std::array<std::byte, node_id_bytes>;

  static constexpr std::size_t header_bytes = 32;

  explicit peer_frames(const node_id& own) : own_{own} {
    // nop
  }

  /// Takes a header and a payload in turn, as CAF asks for them. Returns
  /// whether CAF may see it; if not, the peer is to be cut off.
  bool accept(const std::byte* bytes, std::size_t size);

  /// Returns what the peer has introduced itself as, if it has.
  const std::optional<node_id>& peer() const noexcept {
    return peer_;
  }

  /// Returns whether what was accepted last is the payload of a message.
  bool is_message() const noexcept {
    return is_message_;
  }

  /// Returns whether a response has come, to whichever request.
  bool has_answered() const noexcept {
    return has_answered_;
  }

private:
  bool accept_header(const std::byte* bytes, std::size_t size);
  bool accept_payload(const std::byte* bytes, std::size_t size);

  node_id own_;
  /// What the peer has introduced itself as.
  std::optional<node_id> peer_;
  /// Whose payload comes next.
  std::optional<std::uint8_t> operation_;
  bool is_message_ = false;
  bool is_response_ = false;
  bool has_answered_ = false;
};

} // namespace caf_mcp
