#pragma once

#include "caf_mcp/messages/hub.hpp"
#include "caf_mcp/messages/pipeline.hpp"
#include "caf_mcp/messages/port.hpp"
#include "caf_mcp/messages/requests.hpp"
#include "caf_mcp/messages/server_request.hpp"
#include "caf_mcp/messages/subscriptions.hpp"

#include <caf/result.hpp>
#include <caf/typed_actor.hpp>

#include <cstdint>

/// @file
/// Every typed handle, with what it understands.

namespace caf_mcp {

/// One MCP server, whatever process stands for it at the moment. The only
/// public face of a server; any number of actors may share it.
using connection = caf::typed_actor<
  // Starts the server; answers when it is ready. Harmless when done again.
  caf::result<session_info>(open_connection),
  // Says what is known now.
  caf::result<session_info>(get_session),
  // Sends a request; answers with its result. Opens the connection if need be.
  caf::result<payload>(send_request),
  // Lists all pages of one kind; answers with an array.
  caf::result<payload>(list_all),
  // Sends a notification; answers once it is queued for the server.
  caf::result<void>(send_notification),
  // Cancels requests of the sender.
  caf::result<void>(cancel_request),
  // Ends the connection; answers when the server is gone.
  caf::result<void>(close_connection),
  // Subscribes the sender to `status_changed`.
  caf::result<void>(watch_status),
  // Subscribes an actor to what the server reports unasked; answers with the
  // id of the subscription.
  caf::result<std::uint64_t>(listen),
  // Lets more events of a subscription through.
  caf::result<void>(grant_events),
  // Ends a subscription.
  caf::result<void>(cancel_subscription),
  // Sends the requests of a pipeline.
  caf::result<void>(send_pipelined),
  // Sends some more; answers with what answers there are.
  caf::result<pipelined_answers>(await_answers)>;

/// Who answers requests of a server, with the result object of the protocol's
/// schema, or with an error (see `refuse`). The sender of a request ends when
/// nobody waits for the answer any more.
using request_handler = caf::typed_actor<caf::result<payload>(server_request)>;

/// Who hears of the progress of a request: its sender.
using progress_listener = caf::typed_actor<caf::result<void>(progress)>;

/// Who watches the status of a connection.
using status_listener = caf::typed_actor<caf::result<void>(status_changed)>;

/// Who owns a subscription.
using subscription_listener = caf::typed_actor<
  // The server takes part.
  caf::result<void>(subscription_accepted),
  // It reports something.
  caf::result<void>(subscription_event),
  // Events were dropped, for they came faster than credit.
  caf::result<void>(events_dropped),
  // The server was lost, and the next process takes part.
  caf::result<void>(subscription_resumed),
  // The last message.
  caf::result<void>(subscription_closed)>;

/// Who gets what a server writes beside its messages: its stderr if that is
/// captured, and lines of its stdout that are no messages.
using log_listener = caf::typed_actor<caf::result<void>(server_output)>;

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

/// All that the connection actor understands.
using connection_and_port_listener
  = connection::extend<caf::result<void>(port_opened),
                       caf::result<void>(port_received),
                       caf::result<void>(port_closed),
                       // Its own: the earliest deadline has passed.
                       caf::result<void>(deadline_passed)>;

/// Many servers by name, each supervised.
using hub = caf::typed_actor<
  // Says which actor stands for a server.
  caf::result<mcp_server>(look_up),
  // Says how all servers fare.
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
  caf::result<reload_report>(reload_servers)>;

/// Who watches the servers of a hub.
using hub_listener = caf::typed_actor<caf::result<void>(server_changed)>;

/// All that the hub actor understands.
using hub_and_listener = hub::extend<caf::result<void>(server_changed)>;

/// One server of a hub, and what only its hub may say to it.
using supervisor = mcp_server::extend<
  // Starts the server; answers when it is ready, or with its first failure.
  caf::result<void>(start_server),
  // Stops the server for good; answers when it is gone.
  caf::result<void>(stop_server),
  // Says how the server fares.
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
