#pragma once

#include "caf_mcp/actors/loop/io_loop.hpp"
#include "caf_mcp/actors/port/interfaces.hpp"
#include "caf_mcp/messages/server_options.hpp"

#include <cstdint>
#include <memory>

namespace caf_mcp {

/// What a port owner is made from.
struct port_config {
  std::shared_ptr<const server_options> options;
  /// The actor that is told what the server does; the port owner is linked to
  /// it.
  port_listener listener;
  /// The actor that gets the lines of stderr; may be empty.
  log_listener logs;
  /// The number of the process, which all messages to the listener carry.
  std::uint64_t generation = 0;
};

/// Spawns the actor that starts one server process and owns it with its three
/// pipes. It writes without blocking, frames and decodes what the server
/// writes, and tells its listener.
///
/// It tells `port_opened` once the process runs, then `port_received` as
/// messages come, and `port_closed` last, whether the process ended, broke the
/// rules, could not be started, or was stopped. It ends after the shutdown
/// sequence. When its listener ends, it stops the process by itself. When it is
/// killed, the shutdown sequence still runs, on the loop.
port spawn_port_owner(caf::actor_system& system,
                      const std::shared_ptr<io_loop>& loop, port_config config);

} // namespace caf_mcp
