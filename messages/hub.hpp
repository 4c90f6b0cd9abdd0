#pragma once

#include "caf_mcp/messages/error_info.hpp"
#include "caf_mcp/messages/json/payload.hpp"
#include "caf_mcp/messages/protocol_version.hpp"
#include "caf_mcp/messages/server_entry.hpp"
#include "caf_mcp/messages/session_info.hpp"
#include "caf_mcp/messages/supervision.hpp"

#include <boost/json/object.hpp>
#include <caf/error.hpp>
#include <caf/timespan.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// @file
/// What callers, a hub and its supervisors say to each other.

namespace caf_mcp {

/// The status of a server of a hub.
enum class server_state : std::uint8_t {
  /// Not started yet; its first request starts it.
  idle,
  /// The server is started and spoken to for the first time.
  starting,
  /// Requests are sent as they come.
  ready,
  /// The server was lost; the next start waits for its backoff.
  waiting,
  /// Lost too often; stays down until it is restarted or replaced.
  failed,
  /// Ended, and its restart policy leaves it at that.
  stopped,
  /// The configuration says not to start it.
  disabled,
  /// A server behind a URL.
  unsupported,
  /// Its configuration has an error.
  broken,
};

std::string_view to_string(server_state state) noexcept;

template <class Inspector>
bool inspect(Inspector& f, server_state& x) {
  return enum_inspect(f, x);
}

/// Returns whether a server stays as it is until somebody acts: neither on its
/// way up nor about to be started again.
bool is_settled(server_state state) noexcept;

/// What is known of one server of a hub. Holds no option of the server, so that
/// it may be shown to anybody on this node; other nodes get a `public_status`.
struct server_status {
  std::string name;
  server_state state = server_state::idle;
  /// Known while it is `ready`, as the two after it.
  std::optional<caf_mcp::era> era;
  std::string protocol_version;
  /// The server's process, 0 if there is none.
  std::int64_t pid = 0;
  /// Starts after the first one.
  std::uint64_t restarts = 0;
  /// Requests and listings that it was asked for.
  std::uint64_t requests = 0;
  /// Those that are not answered yet.
  std::uint64_t in_flight = 0;
  /// Why it was lost last, or cannot be started; none if all went well.
  caf::error last_error;
  /// What other nodes may use of it.
  server_offer offer;
};

template <class Inspector>
bool inspect(Inspector& f, server_status& x) {
  return f.object(x).fields(
    f.field("name", x.name), f.field("state", x.state), f.field("era", x.era),
    f.field("protocol_version", x.protocol_version), f.field("pid", x.pid),
    f.field("restarts", x.restarts), f.field("requests", x.requests),
    f.field("in_flight", x.in_flight),
    error_field(f, "last_error", x.last_error), f.field("offer", x.offer));
}

/// Renders `{"name", "state", "era", "protocolVersion", "pid", "restarts",
/// "requests", "inFlight", "error"}`; what is not known is null.
boost::json::object to_json(const server_status& status);

// -- caller to hub ------------------------------------------------------------

/// Caller to hub: which actor stands for the server called `name`? Stays the
/// same whatever happens to the server. Fails with `not_found`, which lists the
/// known names, or with the error of a server that cannot be started.
struct look_up {
  std::string name;
};

template <class Inspector>
bool inspect(Inspector& f, look_up& x) {
  return f.object(x).fields(f.field("name", x.name));
}

/// Caller to hub: what is the status of all servers? Answered in the order of
/// the configuration.
struct get_servers {};

template <class Inspector>
bool inspect(Inspector& f, get_servers& x) {
  return f.object(x).fields();
}

/// Caller to hub: list everything that the servers offer, under qualified names
/// (see `qualified_name`). Answered with `{"tools": [...], "resources": [...],
/// "resourceTemplates": [...], "prompts": [...], "servers": {NAME: {"state",
/// "stale", "error"}}}`. Asks each server that is up; of one that is not, the
/// last list is given, and marked stale.
struct get_catalogue {};

template <class Inspector>
bool inspect(Inspector& f, get_catalogue& x) {
  return f.object(x).fields();
}

/// Caller to hub: send the sender a `server_changed` for each server now, and
/// at every change of state, until either side ends.
struct watch_servers {};

template <class Inspector>
bool inspect(Inspector& f, watch_servers& x) {
  return f.object(x).fields();
}

/// Caller to hub: add the server `name`, or put it in place of the one that has
/// the name; its actor and its place in the order stay the same then, and its
/// process is replaced, unless only the policy differs. Fails with
/// `config_invalid`, also if the policy's `depends_on` names a server that is
/// not there, or leads back to this one; nothing is changed then.
struct put_server {
  std::string name;
  server_options options;
  supervision policy;
  /// How long requests in flight with the process that is replaced may still
  /// take; new ones go to the next. Zero: they fail at once.
  caf::timespan drain = caf::timespan{0};
};

template <class Inspector>
bool inspect(Inspector& f, put_server& x) {
  return f.object(x).fields(
    f.field("name", x.name), f.field("options", x.options),
    f.field("policy", x.policy), f.field("drain", x.drain));
}

/// Caller to hub: stop a server and forget it. Answered when its process is
/// gone. Fails with `not_found`, or with `config_invalid` if another server
/// depends on it.
struct remove_server {
  std::string name;
  /// As in `put_server`; new requests are refused.
  caf::timespan drain = caf::timespan{0};
};

template <class Inspector>
bool inspect(Inspector& f, remove_server& x) {
  return f.object(x).fields(f.field("name", x.name), f.field("drain", x.drain));
}

/// Caller to hub: stop a server, if it runs, and start it, with its past
/// failures and the pauses between its starts forgotten. Answered when it is
/// ready; fails with what it failed with, or as `look_up` does.
struct restart_server {
  std::string name;
  /// As in `put_server`.
  caf::timespan drain = caf::timespan{0};
};

template <class Inspector>
bool inspect(Inspector& f, restart_server& x) {
  return f.object(x).fields(f.field("name", x.name), f.field("drain", x.drain));
}

/// Caller to hub: these are the servers now, in this order. What is new is
/// added, what is gone is removed, what differs is replaced, as `put_server`
/// does; nothing else is touched. Fails with `config_invalid` if two have the
/// same name, or one depends on a server that is not there or on itself;
/// nothing is changed then.
struct reload_servers {
  std::vector<server_entry> servers;
  /// As in `put_server`, for all that are replaced or removed.
  caf::timespan drain = caf::timespan{0};
};

template <class Inspector>
bool inspect(Inspector& f, reload_servers& x) {
  return f.object(x).fields(f.field("servers", x.servers),
                            f.field("drain", x.drain));
}

// -- hub to caller ------------------------------------------------------------

/// What a `reload_servers` has changed, by name.
struct reload_report {
  std::vector<std::string> added;
  std::vector<std::string> removed;
  std::vector<std::string> replaced;
};

template <class Inspector>
bool inspect(Inspector& f, reload_report& x) {
  return f.object(x).fields(f.field("added", x.added),
                            f.field("removed", x.removed),
                            f.field("replaced", x.replaced));
}

/// Supervisor to hub, and hub to watchers: this server has another state.
struct server_changed {
  server_status status;
};

template <class Inspector>
bool inspect(Inspector& f, server_changed& x) {
  return f.object(x).fields(f.field("status", x.status));
}

// -- hub to supervisor --------------------------------------------------------

/// Hub to supervisor: start the server unless it runs. Answered when it is
/// ready, or with its first failure.
struct start_server {
  /// Whether to stop it first, and forget its failures.
  bool afresh = false;
  /// As in `put_server`, for the process that is stopped.
  caf::timespan drain = caf::timespan{0};
};

template <class Inspector>
bool inspect(Inspector& f, start_server& x) {
  return f.object(x).fields(f.field("afresh", x.afresh),
                            f.field("drain", x.drain));
}

/// Hub to supervisor: stop the server for good. Answered when its process is
/// gone; the supervisor ends then.
struct stop_server {
  /// As in `remove_server`.
  caf::timespan drain = caf::timespan{0};
};

template <class Inspector>
bool inspect(Inspector& f, stop_server& x) {
  return f.object(x).fields(f.field("drain", x.drain));
}

/// Hub to supervisor: what is its status?
struct get_status {};

template <class Inspector>
bool inspect(Inspector& f, get_status& x) {
  return f.object(x).fields();
}

/// Hub to supervisor: this is the server from now on.
struct replace_server {
  server_options options;
  supervision policy;
  /// As in `put_server`.
  caf::timespan drain = caf::timespan{0};
};

template <class Inspector>
bool inspect(Inspector& f, replace_server& x) {
  return f.object(x).fields(f.field("options", x.options),
                            f.field("policy", x.policy),
                            f.field("drain", x.drain));
}

/// Supervisor to hub: the server is to run; start those that it depends on.
/// Answered by a `dependencies_changed`.
struct dependencies_wanted {};

template <class Inspector>
bool inspect(Inspector& f, dependencies_wanted& x) {
  return f.object(x).fields();
}

/// How the servers are that another one depends on.
enum class dependencies_state : std::uint8_t {
  /// All are ready.
  ready,
  /// One is not started yet, or is starting.
  awaited,
  /// One was lost, and will be started again.
  lost,
  /// One is down until somebody acts.
  down,
};

std::string_view to_string(dependencies_state state) noexcept;

template <class Inspector>
bool inspect(Inspector& f, dependencies_state& x) {
  return enum_inspect(f, x);
}

/// Hub to supervisor: this is how the servers are that it depends on.
struct dependencies_changed {
  dependencies_state state = dependencies_state::ready;
  /// One that is the cause; empty if all are ready.
  std::string server;
};

template <class Inspector>
bool inspect(Inspector& f, dependencies_changed& x) {
  return f.object(x).fields(f.field("state", x.state),
                            f.field("server", x.server));
}

/// Supervisor to itself: the backoff is over.
struct restart_due {
  /// Tells it from the timer of an earlier connection.
  std::uint64_t generation = 0;
};

template <class Inspector>
bool inspect(Inspector& f, restart_due& x) {
  return f.object(x).fields(f.field("generation", x.generation));
}

} // namespace caf_mcp
