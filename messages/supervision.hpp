#pragma once

#include "caf_mcp/messages/enum_inspect.hpp"
#include "caf_mcp/messages/fwd.hpp"
#include "caf_mcp/messages/server_offer.hpp"

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace caf_mcp {

/// When a server that has ended is started again (the terms are those of
/// Erlang's supervisors).
enum class restart_policy : std::uint8_t {
  /// Always.
  permanent,
  /// Unless it exited with status 0.
  transient,
  /// Never.
  temporary,
};

std::string_view to_string(restart_policy policy) noexcept;

template <class Inspector>
bool inspect(Inspector& f, restart_policy& x) {
  return enum_inspect(f, x);
}

/// When a server is started for the first time.
enum class start_policy : std::uint8_t {
  /// With its hub.
  eager,
  /// By its first request.
  lazy,
};

std::string_view to_string(start_policy policy) noexcept;

template <class Inspector>
bool inspect(Inspector& f, start_policy& x) {
  return enum_inspect(f, x);
}

/// How a hub looks after one server. Members are named as the keys in a
/// configuration file, which stand beside those of `server_options`.
struct supervision {
  /// Called `restart` in a configuration file.
  restart_policy restart = restart_policy::permanent;

  /// How many restarts within `restart_period` are fine; with one more, the
  /// server has failed and stays down. 0: the first loss is final. Takes the
  /// place of `max_reconnects`.
  std::uint32_t max_restarts = 5;

  /// Not 0.
  std::chrono::milliseconds restart_period{60'000};

  /// Called `start` in a configuration file.
  start_policy start = start_policy::eager;

  /// Called `remote` and `tools` in a configuration file.
  server_offer offer;

  /// Servers of the same hub that this one needs: it is started after them, and
  /// started again when one of them was. No server may need itself by way of
  /// others.
  std::vector<std::string> depends_on = {};

  friend bool operator==(const supervision&, const supervision&) = default;
};

template <class Inspector>
bool inspect(Inspector& f, supervision& x) {
  return f.object(x).fields(
    f.field("restart", x.restart), f.field("max_restarts", x.max_restarts),
    f.field("restart_period", x.restart_period), f.field("start", x.start),
    f.field("offer", x.offer), f.field("depends_on", x.depends_on));
}

} // namespace caf_mcp
