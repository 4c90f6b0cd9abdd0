#pragma once

#include "caf_mcp/actors/client.hpp"
#include "caf_mcp/actors/interfaces.hpp"
#include "caf_mcp/actors/runtime.hpp"

#include <chrono>
#include <cstddef>
#include <vector>

namespace caf_mcp {

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
};

/// Spawns the supervisors of `servers` (see `load_server_config`), and the hub
/// that knows them by name. Eager servers are started at once, the others by
/// their first request. An entry that cannot be started keeps its error and
/// harms no other.
///
/// The hub ends with the runtime, or when it is told to exit; all servers end
/// with it. Any thread.
hub spawn_hub(runtime& host, std::vector<server_entry> servers,
              hub_options how = {});

template <>
struct answer_to_message<look_up> {
  using type = mcp_server;
};

template <>
struct answer_to_message<get_servers> {
  using type = std::vector<server_status>;
};

template <>
struct answer_to_message<get_catalogue> {
  using type = payload;
};

template <>
struct answer_to_message<reload_servers> {
  using type = reload_report;
};

} // namespace caf_mcp
