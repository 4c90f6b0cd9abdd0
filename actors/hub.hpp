#pragma once

#include "caf_mcp/actors/client.hpp"
#include "caf_mcp/actors/interfaces.hpp"
#include "caf_mcp/actors/runtime.hpp"
#include "caf_mcp/messages/config/server_config.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace caf_mcp {

/// How many restarts of all servers of a hub together, within which time, are
/// fine; with one more the hub ends, and all servers with it, so that whoever
/// watches it can act. Processes that could not be started (`spawn_failed`) are
/// not counted.
struct restart_intensity {
  std::uint32_t max_restarts = 0;
  std::chrono::milliseconds restart_period{60'000};
};

/// How a hub works.
struct hub_options {
  /// Servers that are started at the same time; others wait for their turn. Not
  /// 0.
  std::size_t parallel_starts = 8;
  /// Time that a server gets for each list of a catalogue; with one that takes
  /// longer, the last list is given, marked stale.
  std::chrono::milliseconds listing_timeout{10'000};
  /// Gets what all servers write beside their messages; may be empty.
  log_listener logs;
  /// What all servers may ask of this side.
  handlers answers;
  /// Absent: no number of restarts ends the hub.
  std::optional<restart_intensity> intensity = {};
};

/// Spawns the supervisors of `servers` (see `load_server_config`), and the hub
/// that knows them by name. Eager servers are started at once, the others by
/// their first request. An entry that cannot be started keeps its error and
/// harms no other; neither is started of two that have the same name.
///
/// An actor of a server that ends, for whatever reason, is replaced as its
/// server would be; look it up again then. The death of another actor, linked
/// or not, ends neither the hub nor a server.
///
/// The hub ends with the runtime, or by `caf::anon_send_exit`; all servers end
/// with it. Any thread.
hub spawn_hub(runtime& host, std::vector<server_entry> servers,
              hub_options how = {});

} // namespace caf_mcp
