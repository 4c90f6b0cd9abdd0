#pragma once

#include "caf_mcp/messages/catalogue.hpp"
#include "caf_mcp/messages/hub.hpp"
#include "caf_mcp/messages/pipeline.hpp"
#include "caf_mcp/messages/port.hpp" // completes the types of the type-ID block
#include "caf_mcp/messages/requests.hpp"
#include "caf_mcp/messages/server_request.hpp"
#include "caf_mcp/messages/subscriptions.hpp"

#include <caf/result.hpp>
#include <caf/typed_actor.hpp>

#include <cstdint>

/// @file
/// Every typed handle that users meet, with what it understands. `mcp_server`
/// stands in messages/fwd.hpp, for it is also sent in messages. What only
/// actors of this library say to each other stands in their rooms.

namespace caf_mcp {

/// One MCP server, whatever process stands for it at the moment, for those who
/// may also watch and end it. Any number of actors may share it.
using connection = mcp_server::extend<
  // Ends the connection; answers when the server is gone.
  caf::result<void>(close_connection),
  // Subscribes the sender to `status_changed`.
  caf::result<void>(watch_status)>;

/// Answers requests of a server, with the result object of the protocol's
/// schema, or with an error (see `refuse`). The sender of a request ends when
/// nobody waits for the answer any more.
using request_handler = caf::typed_actor<caf::result<payload>(server_request)>;

/// Receives the progress of a request: its sender.
using progress_listener = caf::typed_actor<caf::result<void>(progress)>;

/// Watches the status of a connection.
using status_listener = caf::typed_actor<caf::result<void>(status_changed)>;

/// Owns a subscription.
using subscription_listener = caf::typed_actor<
  // The server takes part.
  caf::result<void>(subscription_accepted),
  // It reports something.
  caf::result<void>(subscription_event),
  // Events were dropped: they came faster than credit.
  caf::result<void>(events_dropped),
  // The server was lost, and the next process takes part.
  caf::result<void>(subscription_resumed),
  // The last message.
  caf::result<void>(subscription_closed)>;

/// Receives what a server writes beside its messages: its stderr if that is
/// captured, and lines of its stdout that are no messages.
using log_listener = caf::typed_actor<caf::result<void>(server_output)>;

/// Many servers by name, each supervised.
using hub = caf::typed_actor<
  // Says which actor stands for a server.
  caf::result<mcp_server>(look_up),
  // Returns the status of all servers.
  caf::result<std::vector<server_status>>(get_servers),
  // Lists what all servers offer.
  caf::result<payload>(get_catalogue),
  // Subscribes the sender to `server_changed`.
  caf::result<void>(watch_servers),
  // Adds or replaces a server.
  caf::result<void>(put_server),
  // Stops and forgets a server.
  caf::result<void>(remove_server),
  // Stops and starts a server.
  caf::result<void>(restart_server),
  // Adds, removes and replaces what differs.
  caf::result<reload_report>(reload_servers),
  // Subscribes the sender to `catalogue_changed`.
  caf::result<void>(watch_catalogue)>;

/// Watches the servers of a hub.
using hub_listener = caf::typed_actor<caf::result<void>(server_changed)>;

/// Watches what the servers of a hub offer.
using catalogue_listener
  = caf::typed_actor<caf::result<void>(catalogue_changed)>;

} // namespace caf_mcp
