#pragma once

#include "caf_mcp/messages/close_reason.hpp"
#include "caf_mcp/messages/json/payload.hpp"
#include "caf_mcp/messages/session_info.hpp"

#include <caf/timespan.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/// @file
/// What callers and a connection say to each other.

namespace caf_mcp {

/// Caller to connection: start the server, unless that was done. Answered with
/// the `session_info` when the connection is ready. The sender becomes the
/// owner of a connection that has none.
struct open_connection {};

template <class Inspector>
bool inspect(Inspector& f, open_connection& x) {
  return f.object(x).fields();
}

/// Caller to connection: what is known now? Answered at once.
struct get_session {};

template <class Inspector>
bool inspect(Inspector& f, get_session& x) {
  return f.object(x).fields();
}

/// What becomes of a result that is not the end (MCP 2026-07-28, Multi
/// Round-Trip Requests; Tasks extension).
enum class input_policy : std::uint8_t {
  /// The handlers of the connection answer; a task is followed to its end.
  answer,
  /// A result with `resultType` `input_required` or `task` is handed over: the
  /// caller sends the request again with answers, or follows the task.
  hand_over,
};

std::string_view to_string(input_policy policy) noexcept;

template <class Inspector>
bool inspect(Inspector& f, input_policy& x) {
  return enum_inspect(f, x);
}

/// How long to wait for an answer, and what to hear of meanwhile.
struct request_options {
  /// Time to the answer. Absent: the server option `request_timeout`. Zero:
  /// fails at once unless the answer is already there, so it is useless.
  std::optional<caf::timespan> timeout;
  /// Upper bound where progress, the next page of a listing or an answer to
  /// the server's request for input restarts the timeout. Absent: the server
  /// option `max_total_timeout`.
  std::optional<caf::timespan> max_total_timeout;
  /// Whether the sender gets `progress` messages; if it is slow, the newest.
  bool wants_progress = false;
  /// Whether progress restarts the timeout; asks for progress by itself.
  bool reset_timeout_on_progress = false;
  /// What to do when the server asks for input first; modern era only.
  input_policy input = input_policy::answer;
  /// Chosen by the sender to name this request in `cancel_request` and
  /// `progress`; need not be unique.
  std::uint64_t tag = 0;
};

template <class Inspector>
bool inspect(Inspector& f, request_options& x) {
  return f.object(x).fields(
    f.field("timeout", x.timeout),
    f.field("max_total_timeout", x.max_total_timeout),
    f.field("wants_progress", x.wants_progress),
    f.field("reset_timeout_on_progress", x.reset_timeout_on_progress),
    f.field("input", x.input), f.field("tag", x.tag));
}

/// Caller to connection: send a JSON-RPC request. Answered with its result, or
/// with an error. Use `caf::infinite` for CAF's own request timeout: the
/// connection keeps the deadline, and leaves nothing behind.
struct send_request {
  std::string method;
  /// An object, an array or absent. What the protocol demands in `_meta` is
  /// added; keys set here win, but for `progressToken`, which is left out.
  payload params = {};
  request_options options = {};
};

template <class Inspector>
bool inspect(Inspector& f, send_request& x) {
  return f.object(x).fields(f.field("method", x.method),
                            f.field("params", x.params),
                            f.field("options", x.options));
}

/// Caller to connection: send a JSON-RPC notification. Answered once it is
/// queued for the server.
struct send_notification {
  std::string method;
  payload params = {};
};

template <class Inspector>
bool inspect(Inspector& f, send_notification& x) {
  return f.object(x).fields(f.field("method", x.method),
                            f.field("params", x.params));
}

/// Caller to connection: cancel all requests of the sender that carry `tag`.
/// They fail with `cancelled`, and the server is told so. Answered at once; no
/// such request is no error, for races are normal (MCP, Cancellation).
struct cancel_request {
  std::uint64_t tag = 0;
  /// Passed on to the server; may be empty.
  std::string reason;
};

template <class Inspector>
bool inspect(Inspector& f, cancel_request& x) {
  return f.object(x).fields(f.field("tag", x.tag), f.field("reason", x.reason));
}

/// The four things a server lists.
enum class list_kind : std::uint8_t {
  tools,
  resources,
  resource_templates,
  prompts,
};

/// Returns the name of the result member that holds the items, e.g. `tools`.
std::string_view to_string(list_kind kind) noexcept;

template <class Inspector>
bool inspect(Inspector& f, list_kind& x) {
  return enum_inspect(f, x);
}

/// Caller to connection: list all pages. Answered with a JSON array of the
/// items in the server's order; with an empty one, without asking the server,
/// if it did not declare the capability (MCP, Capability negotiation). Fails
/// with `repeated_cursor` or `too_many_pages`, never runs for ever.
struct list_all {
  list_kind kind = list_kind::tools;
  /// Bound on the number of pages; must not be 0.
  std::uint32_t pages_max = 1000;
  /// `timeout` holds for each page, `max_total_timeout` for all of them.
  request_options options = {};
};

template <class Inspector>
bool inspect(Inspector& f, list_all& x) {
  return f.object(x).fields(f.field("kind", x.kind),
                            f.field("pages_max", x.pages_max),
                            f.field("options", x.options));
}

/// Caller to connection: end it for good. Answered once the server process, and
/// what is left of its process group, is gone.
struct close_connection {
  /// How long requests in flight may still take; new ones are refused. Zero:
  /// they fail at once.
  caf::timespan drain{0};
};

template <class Inspector>
bool inspect(Inspector& f, close_connection& x) {
  return f.object(x).fields(f.field("drain", x.drain));
}

/// Caller to connection: send the sender a `status_changed` now and at every
/// change, until either side ends.
struct watch_status {};

template <class Inspector>
bool inspect(Inspector& f, watch_status& x) {
  return f.object(x).fields();
}

/// Connection to the sender of a request that asked for it: the server reports
/// progress (MCP, Progress). A sender that fails to take it loses its request.
struct progress {
  /// The `tag` of the request.
  std::uint64_t tag = 0;
  double value = 0;
  std::optional<double> total;
  std::string message;
};

template <class Inspector>
bool inspect(Inspector& f, progress& x) {
  return f.object(x).fields(f.field("tag", x.tag), f.field("value", x.value),
                            f.field("total", x.total),
                            f.field("message", x.message));
}

/// Connection to watchers: its state changed.
struct status_changed {
  connection_state state = connection_state::idle;
  /// Why the server was lost or the connection closed; set in the states
  /// `waiting` and `closed`.
  std::optional<close_reason> reason;
  /// Time to the next start; set in the state `waiting`.
  caf::timespan backoff{0};
};

template <class Inspector>
bool inspect(Inspector& f, status_changed& x) {
  return f.object(x).fields(f.field("state", x.state),
                            f.field("reason", x.reason),
                            f.field("backoff", x.backoff));
}

} // namespace caf_mcp
