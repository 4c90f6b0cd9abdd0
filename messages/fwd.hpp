#pragma once

#include <caf/fwd.hpp>
#include <caf/type_id.hpp>

#include <cstdint>
#include <vector>

/// @file
/// Forward declarations of everything that crosses an actor boundary, and the
/// one block that gives each of these types its CAF type ID.

namespace caf_mcp {

// errors
enum class errc : std::uint8_t;
enum class error_origin : std::uint8_t;
struct error_info;
struct rpc_error;

// values
class payload;
class secret;
struct server_options;
enum class era : std::uint8_t;
enum class connection_state : std::uint8_t;
enum class close_cause : std::uint8_t;
struct close_reason;
struct session_info;

// caller to connection
struct open_connection;
struct get_session;
struct request_options;
struct send_request;
struct send_notification;
struct cancel_request;
struct list_all;
enum class list_kind : std::uint8_t;
struct close_connection;
struct watch_status;

enum class input_policy : std::uint8_t;

// connection to caller
struct progress;
struct status_changed;

// connection to port owner
struct outgoing_request;
struct outgoing_notification;
struct outgoing_response;
struct port_write;
struct port_stop;

// port owner to connection
struct incoming_response;
struct incoming_request;
struct incoming_notification;
struct undecodable_message;
enum class id_match : std::uint8_t;
struct port_opened;
struct port_received;
struct port_closed;

// port owner and connection to themselves
struct port_done;
struct deadline_passed;

// port owner to log actor
struct server_output;

// connection to handler
struct server_request;

// caller to connection, and back: what the server reports unasked
enum class log_level : std::uint8_t;
struct listen_filter;
enum class overflow_policy : std::uint8_t;
enum class reconnect_choice : std::uint8_t;
struct listen_options;
struct listen;
struct grant_events;
struct cancel_subscription;
enum class event_kind : std::uint8_t;
struct server_event;
struct subscription_accepted;
struct subscription_event;
struct events_dropped;
struct subscription_resumed;
enum class subscription_end : std::uint8_t;
struct subscription_closed;

// port owner to connection: several messages in one
struct incoming_batch;

// hub: values
enum class restart_policy : std::uint8_t;
enum class start_policy : std::uint8_t;
enum class server_state : std::uint8_t;
struct supervision;
struct server_status;
struct server_entry;

// caller to hub
struct look_up;
struct get_servers;
struct get_catalogue;
struct watch_servers;
struct put_server;
struct remove_server;
struct restart_server;
struct reload_servers;

// hub to caller
struct server_changed;
struct reload_report;

// hub to supervisor, and supervisor to itself
struct start_server;
struct stop_server;
struct get_status;
struct replace_server;
struct restart_due;

// pipeline to connection, and back
struct pipelined_request;
struct pipelined_answer;
struct send_pipelined;
struct await_answers;
struct pipelined_answers;

// watcher of a catalogue to hub, and back
struct watch_catalogue;
struct catalogue_changed;

// supervisor to hub, and back: servers that depend on others
struct dependencies_wanted;
struct dependencies_changed;

/// One MCP server for those who may use it, but neither start nor end it: a
/// supervised one, one of another node, or any `connection`.
using mcp_server = caf::typed_actor<
  // Answers when the server is ready; starts it as a first request would.
  caf::result<session_info>(open_connection),
  // Says what is known now.
  caf::result<session_info>(get_session),
  // Sends a request; answers with its result.
  caf::result<payload>(send_request),
  // Lists all pages of one kind; answers with an array.
  caf::result<payload>(list_all),
  // Sends a notification; answers once it is queued for the server.
  caf::result<void>(send_notification),
  // Cancels requests of the sender.
  caf::result<void>(cancel_request),
  // Subscribes the sender to what the server reports unasked; answers with the
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

} // namespace caf_mcp

// The block starts well above `first_custom_type_id`, so that an application
// can number its own types from there without a clash.
CAF_BEGIN_TYPE_ID_BLOCK(caf_mcp, caf::first_custom_type_id + 600)

  CAF_ADD_TYPE_ID(caf_mcp, (caf_mcp::errc))
  CAF_ADD_TYPE_ID(caf_mcp, (caf_mcp::error_origin))
  CAF_ADD_TYPE_ID(caf_mcp, (caf_mcp::error_info))
  CAF_ADD_TYPE_ID(caf_mcp, (caf_mcp::rpc_error))

  CAF_ADD_TYPE_ID(caf_mcp, (caf_mcp::payload))
  CAF_ADD_TYPE_ID(caf_mcp, (caf_mcp::secret))
  CAF_ADD_TYPE_ID(caf_mcp, (caf_mcp::server_options))
  CAF_ADD_TYPE_ID(caf_mcp, (caf_mcp::era))
  CAF_ADD_TYPE_ID(caf_mcp, (caf_mcp::connection_state))
  CAF_ADD_TYPE_ID(caf_mcp, (caf_mcp::close_cause))
  CAF_ADD_TYPE_ID(caf_mcp, (caf_mcp::close_reason))
  CAF_ADD_TYPE_ID(caf_mcp, (caf_mcp::session_info))

  CAF_ADD_TYPE_ID(caf_mcp, (caf_mcp::open_connection))
  CAF_ADD_TYPE_ID(caf_mcp, (caf_mcp::get_session))
  CAF_ADD_TYPE_ID(caf_mcp, (caf_mcp::request_options))
  CAF_ADD_TYPE_ID(caf_mcp, (caf_mcp::send_request))
  CAF_ADD_TYPE_ID(caf_mcp, (caf_mcp::send_notification))
  CAF_ADD_TYPE_ID(caf_mcp, (caf_mcp::cancel_request))
  CAF_ADD_TYPE_ID(caf_mcp, (caf_mcp::list_all))
  CAF_ADD_TYPE_ID(caf_mcp, (caf_mcp::list_kind))
  CAF_ADD_TYPE_ID(caf_mcp, (caf_mcp::close_connection))
  CAF_ADD_TYPE_ID(caf_mcp, (caf_mcp::watch_status))

  CAF_ADD_TYPE_ID(caf_mcp, (caf_mcp::progress))
  CAF_ADD_TYPE_ID(caf_mcp, (caf_mcp::status_changed))

  CAF_ADD_TYPE_ID(caf_mcp, (caf_mcp::outgoing_request))
  CAF_ADD_TYPE_ID(caf_mcp, (caf_mcp::outgoing_notification))
  CAF_ADD_TYPE_ID(caf_mcp, (caf_mcp::outgoing_response))
  CAF_ADD_TYPE_ID(caf_mcp, (caf_mcp::port_write))
  CAF_ADD_TYPE_ID(caf_mcp, (caf_mcp::port_stop))

  CAF_ADD_TYPE_ID(caf_mcp, (caf_mcp::incoming_response))
  CAF_ADD_TYPE_ID(caf_mcp, (caf_mcp::incoming_request))
  CAF_ADD_TYPE_ID(caf_mcp, (caf_mcp::incoming_notification))
  CAF_ADD_TYPE_ID(caf_mcp, (caf_mcp::undecodable_message))
  CAF_ADD_TYPE_ID(caf_mcp, (caf_mcp::id_match))
  CAF_ADD_TYPE_ID(caf_mcp, (caf_mcp::port_opened))
  CAF_ADD_TYPE_ID(caf_mcp, (caf_mcp::port_received))
  CAF_ADD_TYPE_ID(caf_mcp, (caf_mcp::port_closed))
  CAF_ADD_TYPE_ID(caf_mcp, (caf_mcp::port_done))
  CAF_ADD_TYPE_ID(caf_mcp, (caf_mcp::deadline_passed))

  CAF_ADD_TYPE_ID(caf_mcp, (caf_mcp::server_output))

  CAF_ADD_TYPE_ID(caf_mcp, (caf_mcp::server_request))
  CAF_ADD_TYPE_ID(caf_mcp, (caf_mcp::input_policy))

  CAF_ADD_TYPE_ID(caf_mcp, (caf_mcp::log_level))
  CAF_ADD_TYPE_ID(caf_mcp, (caf_mcp::listen_filter))
  CAF_ADD_TYPE_ID(caf_mcp, (caf_mcp::overflow_policy))
  CAF_ADD_TYPE_ID(caf_mcp, (caf_mcp::reconnect_choice))
  CAF_ADD_TYPE_ID(caf_mcp, (caf_mcp::listen_options))
  CAF_ADD_TYPE_ID(caf_mcp, (caf_mcp::listen))
  CAF_ADD_TYPE_ID(caf_mcp, (caf_mcp::grant_events))
  CAF_ADD_TYPE_ID(caf_mcp, (caf_mcp::cancel_subscription))
  CAF_ADD_TYPE_ID(caf_mcp, (caf_mcp::event_kind))
  CAF_ADD_TYPE_ID(caf_mcp, (caf_mcp::server_event))
  CAF_ADD_TYPE_ID(caf_mcp, (caf_mcp::subscription_accepted))
  CAF_ADD_TYPE_ID(caf_mcp, (caf_mcp::subscription_event))
  CAF_ADD_TYPE_ID(caf_mcp, (caf_mcp::events_dropped))
  CAF_ADD_TYPE_ID(caf_mcp, (caf_mcp::subscription_resumed))
  CAF_ADD_TYPE_ID(caf_mcp, (caf_mcp::subscription_end))
  CAF_ADD_TYPE_ID(caf_mcp, (caf_mcp::subscription_closed))

  CAF_ADD_TYPE_ID(caf_mcp, (caf_mcp::incoming_batch))

  CAF_ADD_TYPE_ID(caf_mcp, (caf_mcp::restart_policy))
  CAF_ADD_TYPE_ID(caf_mcp, (caf_mcp::start_policy))
  CAF_ADD_TYPE_ID(caf_mcp, (caf_mcp::server_state))
  CAF_ADD_TYPE_ID(caf_mcp, (caf_mcp::supervision))
  CAF_ADD_TYPE_ID(caf_mcp, (caf_mcp::server_status))
  CAF_ADD_TYPE_ID(caf_mcp, (caf_mcp::server_entry))
  CAF_ADD_TYPE_ID(caf_mcp, (caf_mcp::look_up))
  CAF_ADD_TYPE_ID(caf_mcp, (caf_mcp::get_servers))
  CAF_ADD_TYPE_ID(caf_mcp, (caf_mcp::get_catalogue))
  CAF_ADD_TYPE_ID(caf_mcp, (caf_mcp::watch_servers))
  CAF_ADD_TYPE_ID(caf_mcp, (caf_mcp::put_server))
  CAF_ADD_TYPE_ID(caf_mcp, (caf_mcp::remove_server))
  CAF_ADD_TYPE_ID(caf_mcp, (caf_mcp::restart_server))
  CAF_ADD_TYPE_ID(caf_mcp, (caf_mcp::reload_servers))
  CAF_ADD_TYPE_ID(caf_mcp, (caf_mcp::server_changed))
  CAF_ADD_TYPE_ID(caf_mcp, (caf_mcp::reload_report))
  CAF_ADD_TYPE_ID(caf_mcp, (caf_mcp::start_server))
  CAF_ADD_TYPE_ID(caf_mcp, (caf_mcp::stop_server))
  CAF_ADD_TYPE_ID(caf_mcp, (caf_mcp::get_status))
  CAF_ADD_TYPE_ID(caf_mcp, (caf_mcp::replace_server))
  CAF_ADD_TYPE_ID(caf_mcp, (caf_mcp::restart_due))
  CAF_ADD_TYPE_ID(caf_mcp, (caf_mcp::mcp_server))
  CAF_ADD_TYPE_ID(caf_mcp, (std::vector<caf_mcp::server_status>))

  CAF_ADD_TYPE_ID(caf_mcp, (caf_mcp::pipelined_request))
  CAF_ADD_TYPE_ID(caf_mcp, (caf_mcp::pipelined_answer))
  CAF_ADD_TYPE_ID(caf_mcp, (caf_mcp::send_pipelined))
  CAF_ADD_TYPE_ID(caf_mcp, (caf_mcp::await_answers))
  CAF_ADD_TYPE_ID(caf_mcp, (caf_mcp::pipelined_answers))

  CAF_ADD_TYPE_ID(caf_mcp, (caf_mcp::watch_catalogue))
  CAF_ADD_TYPE_ID(caf_mcp, (caf_mcp::catalogue_changed))

  CAF_ADD_TYPE_ID(caf_mcp, (caf_mcp::dependencies_wanted))
  CAF_ADD_TYPE_ID(caf_mcp, (caf_mcp::dependencies_changed))

CAF_END_TYPE_ID_BLOCK(caf_mcp)

// Makes `errc` usable as the code of a `caf::error`.
#include <caf/is_error_code_enum.hpp>

CAF_ERROR_CODE_ENUM(caf_mcp::errc)
