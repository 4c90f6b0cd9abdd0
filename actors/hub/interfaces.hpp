#pragma once

#include "caf_mcp/actors/interfaces.hpp"

/// @file
/// What a hub and its supervisors understand of each other.

namespace caf_mcp {

/// All that the hub actor understands.
using hub_and_listener = hub::extend<
  // A server has another state.
  caf::result<void>(server_changed),
  // A server needs those that it depends on.
  caf::result<void>(dependencies_wanted),
  // A server takes part in the hub's subscription to its lists.
  caf::result<void>(subscription_accepted),
  // One of its lists has changed.
  caf::result<void>(subscription_event), caf::result<void>(events_dropped),
  caf::result<void>(subscription_resumed),
  caf::result<void>(subscription_closed)>;

/// What supervisors tell their hub.
using supervisor_listener
  = caf::typed_actor<caf::result<void>(server_changed),
                     caf::result<void>(dependencies_wanted)>;

/// One server of a hub, and what only its hub may say to it.
using supervisor = mcp_server::extend<
  // Starts the server; answers when it is ready, or with its first failure.
  caf::result<void>(start_server),
  // Stops the server for good; answers when it is gone.
  caf::result<void>(stop_server),
  // Returns the status of the server.
  caf::result<server_status>(get_status),
  // Changes what the server is.
  caf::result<void>(replace_server),
  // Tells how the servers are that it depends on.
  caf::result<void>(dependencies_changed)>;

/// All that the supervisor actor understands.
using supervisor_and_listener = supervisor::extend<
  // Its connection has another state.
  caf::result<void>(status_changed),
  // Its own: the backoff is over.
  caf::result<void>(restart_due)>;

} // namespace caf_mcp
