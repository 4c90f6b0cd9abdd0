#pragma once

#include "caf_mcp/actors/nodes/node_gate.hpp"
#include "caf_mcp/actors/nodes/node_socket.hpp"

#include <caf/actor.hpp>
#include <caf/fwd.hpp>
#include <caf/io/doorman.hpp>
#include <caf/io/scribe.hpp>

#include <cstddef>
#include <memory>
#include <string>

/// @file
/// Hands connections that have been let through over to CAF's middleman, which
/// speaks its protocol by them. Built on the classes that CAF's own transports
/// are built on.

namespace caf_mcp {

/// The largest frame that is read, and the most that waits to be written to a
/// peer: beyond, the connection is closed before the memory is taken. Twice
/// the largest value of `max_message_bytes` that anybody is known to need.
inline constexpr std::size_t frame_bytes_max = std::size_t{64} << 20U;
inline constexpr std::size_t unwritten_bytes_max = 4 * frame_bytes_max;

/// Returns the actor of CAF that speaks its protocol.
caf::actor protocol_broker(caf::actor_system& system);

/// Makes what CAF reads and writes a connection by.
caf::io::scribe_ptr make_scribe(caf::actor_system& system, node_socket socket);

/// Closes a connection of `make_scribe` by which the other side has answered
/// nothing so far. Any thread.
void close_if_unanswered(caf::actor_system& system,
                         const caf::io::scribe_ptr& connection);

/// Makes what tells CAF of the connections of a gate, which ends with it.
caf::io::doorman_ptr make_doorman(caf::actor_system& system, std::string host,
                                  std::shared_ptr<node_gate> gate);

} // namespace caf_mcp
