#pragma once

#include "caf_mcp/messages/json_rpc.hpp"
#include "caf_mcp/messages/protocol_version.hpp"
#include "caf_mcp/messages/subscriptions.hpp"

#include <optional>
#include <string_view>

/// @file
/// What filters of subscriptions mean on the wire and for an event.

namespace caf_mcp {

/// The member of `_meta` by which a notification names its subscription (MCP
/// 2026-07-28, Subscriptions).
inline constexpr std::string_view subscription_id_key
  = "io.modelcontextprotocol/subscriptionId";

/// Returns whether the filter lets nothing through.
bool is_empty(const listen_filter& filter) noexcept;

/// Returns whether the filter asks for more than log messages, for which
/// neither era has a subscription.
bool wants_changes(const listen_filter& filter) noexcept;

/// Returns the part of `filter` that a server of these capabilities supports.
/// One that declares nothing at all gets the benefit of the doubt.
listen_filter supported_part(const listen_filter& filter,
                             const payload& capabilities);

/// Returns the `params` of `subscriptions/listen` (MCP 2026-07-28,
/// Subscriptions).
payload listen_params(const listen_filter& filter);

/// Returns the part of `filter` that the params of
/// `notifications/subscriptions/acknowledged` grant; `log` is as in `filter`.
listen_filter acknowledged_part(const listen_filter& filter,
                                const payload& params);

/// Returns what a notification reports; nothing if it is another one, or
/// malformed.
std::optional<server_event> read_event(const incoming_notification& message);

/// Returns the member of its params that a notification lacks, or that is of
/// another type than it must be; empty if there is none. In the modern era
/// reports of changes name their subscription.
std::string_view missing_member(const incoming_notification& message,
                                era spoken);

/// Returns whether the filter asks for events of this kind and, of log
/// messages, for this level. Messages of a level that MCP does not define are
/// wanted.
bool wants_kind(const listen_filter& filter, const server_event& event);

/// Returns whether `uri` is `base` or a path below it, judged by the text
/// alone: servers may report parts of what was subscribed to (MCP 2025-11-25,
/// schema, ResourceUpdatedNotification).
bool is_within(std::string_view uri, std::string_view base);

/// Returns whether the filter asks for this event; of resources, one that is
/// within a URI of the filter.
bool wants_event(const listen_filter& filter, const server_event& event);

} // namespace caf_mcp
