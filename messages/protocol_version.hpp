#pragma once

#include "caf_mcp/messages/enum_inspect.hpp"
#include "caf_mcp/messages/fwd.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace caf_mcp {

/// The two ways in which client and server agree on what they speak.
enum class era : std::uint8_t {
  /// An `initialize` handshake; the protocol's revisions up to 2025-11-25.
  legacy,
  /// No handshake; each request says in `_meta` what it needs.
  modern,
};

std::string_view to_string(era value) noexcept;

template <class Inspector>
bool inspect(Inspector& f, era& x) {
  return enum_inspect(f, x);
}

/// A published revision of the Model Context Protocol.
struct protocol_revision {
  std::string_view version;
  caf_mcp::era era;
};

/// The revisions this library speaks, oldest first.
inline constexpr std::array<protocol_revision, 5> known_revisions{{
  {"2024-11-05", era::legacy},
  {"2025-03-26", era::legacy},
  {"2025-06-18", era::legacy},
  {"2025-11-25", era::legacy},
  {"2026-07-28", era::modern},
}};

inline constexpr std::string_view latest_legacy = "2025-11-25";
inline constexpr std::string_view latest_modern = "2026-07-28";

/// Returns the era of a known version, else nothing.
std::optional<era> era_of(std::string_view version) noexcept;

/// Returns whether `version` is one of `known_revisions`.
bool is_known(std::string_view version) noexcept;

/// Returns whether `version` is known and needs no handshake.
bool is_modern(std::string_view version) noexcept;

} // namespace caf_mcp
