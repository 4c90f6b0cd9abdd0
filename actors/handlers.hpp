#pragma once

#include "caf_mcp/actors/interfaces.hpp"
#include "caf_mcp/messages/server_request.hpp"
#include "caf_mcp/messages/session_info.hpp"

#include <boost/json/object.hpp>
#include <caf/expected.hpp>

#include <functional>
#include <stop_token>
#include <variant>

/// @file
/// What answers the requests of a server; given when a connection is spawned,
/// because a server is told at the handshake what it may ask for.

namespace caf_mcp {

/// Answers a request of the server at once, on CAF's scheduler. Must not block,
/// and may run several times at once.
using handler_function
  = std::function<caf::expected<payload>(const server_request&)>;

/// The same for a function that may block: each call has a thread of its own.
/// A stop is requested, from another thread, when nobody waits for the answer
/// any more; a function that does not look keeps its thread until it returns.
using blocking_handler_function = std::function<caf::expected<payload>(
  const server_request&, const std::stop_token&)>;

/// One way to answer; none if it holds `std::monostate`. An actor may take its
/// time; it can monitor the sender, which ends when nobody waits any more.
using handler = std::variant<std::monostate, handler_function,
                             blocking_handler_function, request_handler>;

/// What a connection answers its server with. Each handler that is set declares
/// its capability, and nothing else declares one. All answer with the result
/// object of the protocol's schema.
struct handlers {
  /// `sampling/createMessage`.
  handler sampling;
  /// Members of the capability `sampling`, e.g. `{"tools": {}}`. A request with
  /// tools is turned down unless `tools` is one of them.
  boost::json::object sampling_features;
  /// `elicitation/create` with a form. Fields that an accepted answer lacks are
  /// set to their defaults.
  handler elicit_form;
  /// `elicitation/create` with a URL, to be shown and never fetched.
  handler elicit_url;
  /// `roots/list`. Send `roots_changed()` when the answer changes.
  handler roots;
  /// Any request without a handler of its own, but `ping`. Declares nothing.
  handler others;
};

/// Returns the capabilities that a client with these handlers declares; in the
/// modern era also the tasks extension, which needs no handler.
boost::json::object capabilities_of(const handlers& from, era spoken);

/// Finds the handler for a request, or the JSON-RPC error to answer: -32601 if
/// there is none, -32602 for what was not declared.
std::variant<const handler*, rpc_error>
find_handler(const handlers& from, const server_request& request);

/// Spawns the actor that has `how` answer one request, and then ends. Its
/// answers are objects, with defaults filled in. An actor of CAF's scheduler;
/// links and monitors nobody but the thread it starts for a function that
/// blocks. When it is made to exit, that function is asked to stop.
request_handler spawn_handler(caf::actor_system& system, handler how);

} // namespace caf_mcp
