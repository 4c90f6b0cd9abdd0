// Who is told what when something changes.
#pragma once

#include <string_view>

namespace demo {

struct server;

/// The lists that can change.
enum class list_kind { tools, prompts, resources };

/// Says that a list changed: to the legacy client, unasked, and to every
/// listener that asked for it.
void announce_list_changed(server& srv, list_kind kind);

/// Says that a resource changed, to those who subscribed to it.
void announce_updated(server& srv, std::string_view uri);

/// How a server ends a `subscriptions/listen` of its own accord.
enum class listen_end { response, cancelled_notification };

/// Ends every open `subscriptions/listen`.
void end_listeners(server& srv, listen_end how);

} // namespace demo
