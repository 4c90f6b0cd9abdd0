// What the server remembers of its client.
#pragma once

#include "request.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace demo {

/// Log levels by severity. `level_names` has the same order.
enum class log_level {
  debug,
  info,
  notice,
  warning,
  error,
  critical,
  alert,
  emergency
};

std::optional<log_level> read_level(std::string_view name);

/// The session that an `initialize` handshake establishes, one a process. The
/// modern era has none.
struct legacy_session {
  enum class phase {
    fresh,      // No `initialize` yet.
    answered,   // `initialize` answered, `notifications/initialized` awaited.
    operational // All requests are served.
  };

  phase now = phase::fresh;
  std::string version;
  client_abilities abilities;
  log_level least_level = log_level::info;
  /// URIs of `resources/subscribe`.
  std::vector<std::string> subscribed_uris;
};

/// A `subscriptions/listen` that is open (2026-07-28, patterns, Subscriptions).
struct listener {
  /// The request's id as JSON text, which is the subscription's id too.
  std::string id;
  bool tools = false;
  bool prompts = false;
  bool resources = false;
  std::vector<std::string> uris;
};

} // namespace demo
