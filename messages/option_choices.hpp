#pragma once

#include "caf_mcp/messages/enum_inspect.hpp"

#include <cstdint>
#include <string_view>

/// @file
/// Options whose value is one of a few words. `to_string` returns the word
/// that stands in a configuration file.

namespace caf_mcp {

/// Which variables of this process a server gets.
enum class inherit_policy : std::uint8_t {
  /// Those of `inheritable_names`, and those the options name beside them.
  allowlist,
  /// All of them.
  all,
};

/// Where the server's stderr goes.
enum class stderr_kind : std::uint8_t {
  /// To the stderr of this process.
  inherit,
  /// Nowhere.
  discard,
  /// To the end of a file.
  file,
  /// To the connection's log actor, line by line.
  capture,
};

/// What happens to a line of more than `max_message_bytes`.
enum class oversize_policy : std::uint8_t {
  /// The connection closes and the server is stopped.
  close,
  /// The rest of the line is dropped as it arrives.
  discard,
};

/// How a server is made to leave.
enum class stop_policy : std::uint8_t {
  /// Close its stdin, then SIGTERM, then SIGKILL.
  escalate,
  /// Close its stdin and leave the rest to the server.
  close_stdin_only,
};

/// What reaches the server when this process dies without running any code.
enum class host_death_policy : std::uint8_t {
  /// The end of its stdin.
  eof,
  /// SIGTERM as well.
  term,
  /// SIGKILL.
  kill,
};

/// Which era of the protocol to speak.
enum class era_mode : std::uint8_t {
  /// Ask the server for modern, fall back to legacy.
  automatic,
  legacy,
  modern,
};

std::string_view to_string(inherit_policy policy) noexcept;
std::string_view to_string(stderr_kind kind) noexcept;
std::string_view to_string(oversize_policy policy) noexcept;
std::string_view to_string(stop_policy policy) noexcept;
std::string_view to_string(host_death_policy policy) noexcept;
std::string_view to_string(era_mode mode) noexcept;

template <class Inspector>
bool inspect(Inspector& f, inherit_policy& x) {
  return enum_inspect(f, x);
}

template <class Inspector>
bool inspect(Inspector& f, stderr_kind& x) {
  return enum_inspect(f, x);
}

template <class Inspector>
bool inspect(Inspector& f, oversize_policy& x) {
  return enum_inspect(f, x);
}

template <class Inspector>
bool inspect(Inspector& f, stop_policy& x) {
  return enum_inspect(f, x);
}

template <class Inspector>
bool inspect(Inspector& f, host_death_policy& x) {
  return enum_inspect(f, x);
}

template <class Inspector>
bool inspect(Inspector& f, era_mode& x) {
  return enum_inspect(f, x);
}

} // namespace caf_mcp
