#pragma once

#include "caf_mcp/messages/enum_inspect.hpp"
#include "caf_mcp/messages/fwd.hpp"

#include <cstdint>
#include <string_view>

namespace caf_mcp {

/// The severities of log messages, least severe first (RFC 5424; MCP, Logging).
enum class log_level : std::uint8_t {
  debug,
  info,
  notice,
  warning,
  error,
  critical,
  alert,
  emergency,
};

/// Returns the name that MCP gives the level, e.g. `"warning"`.
std::string_view to_string(log_level level) noexcept;

template <class Inspector>
bool inspect(Inspector& f, log_level& x) {
  return enum_inspect(f, x);
}

} // namespace caf_mcp
