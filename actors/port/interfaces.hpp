#pragma once

#include "caf_mcp/actors/interfaces.hpp"

#include <caf/result.hpp>
#include <caf/typed_actor.hpp>

/// @file
/// What a connection and its port owner understand of each other.

namespace caf_mcp {

/// What a port owner tells its connection.
using port_listener = caf::typed_actor<
  // The process runs.
  caf::result<void>(port_opened),
  // The server wrote messages.
  caf::result<void>(port_received),
  // The process is lost; the last message.
  caf::result<void>(port_closed)>;

/// One server process and its pipes. Private to its connection.
using port = caf::typed_actor<
  // Queues a message.
  caf::result<void>(port_write),
  // Carries out the shutdown sequence; answers when the process is gone.
  caf::result<void>(port_stop),
  // Its own: nothing is left to do.
  caf::result<void>(port_done)>;

} // namespace caf_mcp
