#pragma once

#include "caf_mcp/messages/enum_inspect.hpp"
#include "caf_mcp/messages/json/payload.hpp"
#include "caf_mcp/messages/protocol_version.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace caf_mcp {

/// Says how far a connection has come.
enum class connection_state : std::uint8_t {
  /// Not opened yet.
  idle,
  /// The server is started and spoken to for the first time.
  connecting,
  /// Requests are sent as they come.
  ready,
  /// The server was lost; the next start waits for its backoff.
  waiting,
  /// Ended for good; every request fails.
  closed,
};

std::string_view to_string(connection_state state) noexcept;

template <class Inspector>
bool inspect(Inspector& f, connection_state& x) {
  return enum_inspect(f, x);
}

/// What is known of a connection. All but `state` and `in_flight` is empty
/// unless it is `ready`.
struct session_info {
  connection_state state = connection_state::idle;
  std::optional<caf_mcp::era> era;
  std::string protocol_version;
  /// The server's name, version and more; see `Implementation` in the schema.
  payload server_info;
  /// See `ServerCapabilities` in the schema.
  payload capabilities;
  std::string instructions;
  /// The server's process, 0 if there is none.
  std::int64_t pid = 0;
  /// Requests that wait for their answer, or to be sent.
  std::uint64_t in_flight = 0;
};

template <class Inspector>
bool inspect(Inspector& f, session_info& x) {
  return f.object(x).fields(f.field("state", x.state), f.field("era", x.era),
                            f.field("protocol_version", x.protocol_version),
                            f.field("server_info", x.server_info),
                            f.field("capabilities", x.capabilities),
                            f.field("instructions", x.instructions),
                            f.field("pid", x.pid),
                            f.field("in_flight", x.in_flight));
}

} // namespace caf_mcp
