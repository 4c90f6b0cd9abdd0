#pragma once

#include "caf_mcp/messages/enum_inspect.hpp"
#include "caf_mcp/messages/error_info.hpp"
#include "caf_mcp/messages/json/payload.hpp"
#include "caf_mcp/messages/log_level.hpp"

#include <caf/actor_control_block.hpp>
#include <caf/error.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// @file
/// What a connection and those who listen to its server say to each other.

namespace caf_mcp {

/// What to hear of; the same in both eras.
struct listen_filter {
  /// The list of tools changed.
  bool tools = false;
  /// The list of prompts changed.
  bool prompts = false;
  /// The list of resources changed.
  bool resources = false;
  /// The resources at these URIs changed.
  std::vector<std::string> uris = {};
  /// The server logged something of this level or a more severe one. A modern
  /// server does so only for requests that are sent while somebody listens.
  std::optional<log_level> log = {};

  friend bool operator==(const listen_filter&, const listen_filter&) = default;
};

template <class Inspector>
bool inspect(Inspector& f, listen_filter& x) {
  return f.object(x).fields(f.field("tools", x.tools),
                            f.field("prompts", x.prompts),
                            f.field("resources", x.resources),
                            f.field("uris", x.uris), f.field("log", x.log));
}

/// What happens to events that find the buffer full.
enum class overflow_policy : std::uint8_t {
  /// The event that waits longest makes room.
  drop_oldest,
  /// The event that arrives is dropped.
  drop_newest,
  /// The subscription is closed with `subscription_overflow`.
  close,
};

std::string_view to_string(overflow_policy policy) noexcept;

template <class Inspector>
bool inspect(Inspector& f, overflow_policy& x) {
  return enum_inspect(f, x);
}

/// What becomes of a subscription whose server is lost.
enum class reconnect_choice : std::uint8_t {
  /// It is set up again with the next process; then the owner is told with
  /// `subscription_resumed`.
  resume,
  /// It is closed with `connection_closed`.
  end,
};

std::string_view to_string(reconnect_choice choice) noexcept;

template <class Inspector>
bool inspect(Inspector& f, reconnect_choice& x) {
  return enum_inspect(f, x);
}

/// How events reach the owner.
struct listen_options {
  /// Events that may be sent before the first `grant_events`. Each event takes
  /// one; nothing else does.
  std::uint64_t credit = 1;
  /// Events that may wait for credit; at least 1.
  std::uint32_t max_buffer = 100;
  overflow_policy overflow = overflow_policy::drop_oldest;
  reconnect_choice on_reconnect = reconnect_choice::resume;
};

template <class Inspector>
bool inspect(Inspector& f, listen_options& x) {
  return f.object(x).fields(
    f.field("credit", x.credit), f.field("max_buffer", x.max_buffer),
    f.field("overflow", x.overflow), f.field("on_reconnect", x.on_reconnect));
}

/// Caller to connection: send the owner what the server says about `filter`.
/// Answered at once with the subscription's id; fails with `config_invalid` or
/// `connection_closed`. From then on the owner gets `subscription_accepted`,
/// events, and at last `subscription_closed`; only that one if the subscription
/// is refused. An owner that dies ends its subscriptions.
struct listen {
  listen_filter filter;
  listen_options options = {};
  /// An actor that understands what a `subscription_listener` does; the sender
  /// if this is empty.
  caf::strong_actor_ptr owner = nullptr;
};

template <class Inspector>
bool inspect(Inspector& f, listen& x) {
  return f.object(x).fields(f.field("filter", x.filter),
                            f.field("options", x.options),
                            f.field("owner", x.owner));
}

/// Owner to connection: that many more events may be sent.
struct grant_events {
  std::uint64_t id = 0;
  std::uint64_t count = 1;
};

template <class Inspector>
bool inspect(Inspector& f, grant_events& x) {
  return f.object(x).fields(f.field("id", x.id), f.field("count", x.count));
}

/// Owner to connection: end this subscription. One that has ended is no error.
struct cancel_subscription {
  std::uint64_t id = 0;
};

template <class Inspector>
bool inspect(Inspector& f, cancel_subscription& x) {
  return f.object(x).fields(f.field("id", x.id));
}

/// What a server reports unasked.
enum class event_kind : std::uint8_t {
  tools_changed,
  prompts_changed,
  resources_changed,
  resource_updated,
  log_message,
};

std::string_view to_string(event_kind kind) noexcept;

template <class Inspector>
bool inspect(Inspector& f, event_kind& x) {
  return enum_inspect(f, x);
}

/// One report of a server.
struct server_event {
  event_kind kind = event_kind::tools_changed;
  /// Which resource was updated; empty for other kinds.
  std::string uri;
  /// The `params` of the notification: of a log message `level`, `logger` and
  /// `data`.
  payload params;
};

template <class Inspector>
bool inspect(Inspector& f, server_event& x) {
  return f.object(x).fields(f.field("kind", x.kind), f.field("uri", x.uri),
                            f.field("params", x.params));
}

/// Connection to owner: the server takes part. Comes before any event.
struct subscription_accepted {
  std::uint64_t id = 0;
  /// What will be delivered: the part of the filter that the server supports.
  listen_filter filter;
};

template <class Inspector>
bool inspect(Inspector& f, subscription_accepted& x) {
  return f.object(x).fields(f.field("id", x.id), f.field("filter", x.filter));
}

/// Connection to owner: the server reports something. Events that still wait
/// for credit are merged with equal ones, but for log messages.
struct subscription_event {
  std::uint64_t id = 0;
  server_event event;
};

template <class Inspector>
bool inspect(Inspector& f, subscription_event& x) {
  return f.object(x).fields(f.field("id", x.id), f.field("event", x.event));
}

/// Connection to owner: events were dropped since the last event. Comes right
/// before the next event, or the end.
struct events_dropped {
  std::uint64_t id = 0;
  std::uint64_t count = 0;
};

template <class Inspector>
bool inspect(Inspector& f, events_dropped& x) {
  return f.object(x).fields(f.field("id", x.id), f.field("count", x.count));
}

/// Connection to owner: the server was lost, and the next process takes part.
/// What changed meanwhile is not known.
struct subscription_resumed {
  std::uint64_t id = 0;
  /// As in `subscription_accepted`.
  listen_filter filter;
};

template <class Inspector>
bool inspect(Inspector& f, subscription_resumed& x) {
  return f.object(x).fields(f.field("id", x.id), f.field("filter", x.filter));
}

/// How a subscription came to its end.
enum class subscription_end : std::uint8_t {
  /// The server ended it in good order (MCP 2026-07-28, Subscriptions).
  finished,
  /// The server withdrew it with `notifications/cancelled`.
  withdrawn,
  /// By `cancel_subscription`.
  cancelled,
  /// It failed; the error says why.
  failed,
};

std::string_view to_string(subscription_end end) noexcept;

template <class Inspector>
bool inspect(Inspector& f, subscription_end& x) {
  return enum_inspect(f, x);
}

/// Connection to owner: the last message of a subscription. What still waited
/// for credit is dropped.
struct subscription_closed {
  std::uint64_t id = 0;
  subscription_end how = subscription_end::finished;
  /// Set if `how` is `failed`; read it with `describe`. `capability_missing` if
  /// the server supports nothing of the filter.
  caf::error error;
};

template <class Inspector>
bool inspect(Inspector& f, subscription_closed& x) {
  return f.object(x).fields(f.field("id", x.id), f.field("how", x.how),
                            error_field(f, "error", x.error));
}

} // namespace caf_mcp
