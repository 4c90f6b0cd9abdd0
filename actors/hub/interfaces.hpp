#pragma once

#include "caf_mcp/actors/interfaces.hpp"

/// @file
/// What a hub and its supervisors understand of each other.

namespace caf_mcp {

/// All that the hub actor understands.
using hub_and_listener = hub::extend<caf::result<void>(server_changed)>;

/// One server of a hub, and what only its hub may say to it.
using supervisor = mcp_server::extend<
  // Starts the server; answers when it is ready, or with its first failure.
  caf::result<void>(start_server),
  // Stops the server for good; answers when it is gone.
  caf::result<void>(stop_server),
  // Returns the status of the server.
  caf::result<server_status>(get_status),
  // Changes what the server is.
  caf::result<void>(replace_server)>;

/// All that the supervisor actor understands.
using supervisor_and_listener = supervisor::extend<
  // Its connection has another state.
  caf::result<void>(status_changed),
  // Its own: the backoff is over.
  caf::result<void>(restart_due)>;

} // namespace caf_mcp
