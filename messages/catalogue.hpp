#pragma once

#include "caf_mcp/messages/enum_inspect.hpp"
#include "caf_mcp/messages/fwd.hpp"
#include "caf_mcp/messages/json/payload.hpp"
#include "caf_mcp/messages/requests.hpp"

#include <caf/error.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// @file
/// What a hub and those who watch its catalogue say to each other.

namespace caf_mcp {

/// Caller to hub: send the sender a `catalogue_changed` with all that the
/// servers offer, and from then on one with what has changed, until either side
/// ends. The first one waits until each server that is ready has been listed,
/// or could not be, within `hub_options::listing_timeout`. Whoever watches
/// already is sent nothing anew.
struct watch_catalogue {};

template <class Inspector>
bool inspect(Inspector& f, watch_catalogue& x) {
  return f.object(x).fields();
}

/// What has become of one thing that a server offers.
enum class item_change : std::uint8_t {
  added,
  changed,
  removed,
};

std::string_view to_string(item_change change) noexcept;

template <class Inspector>
bool inspect(Inspector& f, item_change& x) {
  return enum_inspect(f, x);
}

/// A tool, resource, template or prompt that has changed.
struct item_changed {
  list_kind kind = list_kind::tools;
  item_change what = item_change::added;
  /// Its qualified name, or for resources and templates its qualified URI. No
  /// two things of one kind in a catalogue have the same.
  std::string name;
  /// As in the answer to `get_catalogue`; absent if it was removed.
  payload item;
};

template <class Inspector>
bool inspect(Inspector& f, item_changed& x) {
  return f.object(x).fields(f.field("kind", x.kind), f.field("what", x.what),
                            f.field("name", x.name), f.field("item", x.item));
}

/// What has changed of one server.
struct offer_changed {
  std::string server;
  /// Whether the hub does not have the server any more. All that it offered is
  /// among `items` then, removed.
  bool is_gone = false;
  /// Whether this is what the server offered last: it is not up, or could not
  /// be listed.
  bool is_stale = true;
  /// Why it is stale, if that is a failure; read it with `describe`.
  caf::error error;
  /// Each name of a kind once.
  std::vector<item_changed> items;
};

template <class Inspector>
bool inspect(Inspector& f, offer_changed& x) {
  return f.object(x).fields(
    f.field("server", x.server), f.field("is_gone", x.is_gone),
    f.field("is_stale", x.is_stale), f.field("error", x.error),
    f.field("items", x.items));
}

/// Hub to watchers of its catalogue: this differs from what you were told
/// before. Sent as a request, and the next one once it is answered, which CAF
/// does when the handler returns: a watcher that is slow has one at most in its
/// mailbox, and then gets all that has changed meanwhile in one.
struct catalogue_changed {
  /// In the order of the configuration, and then those that are gone.
  std::vector<offer_changed> servers;
};

template <class Inspector>
bool inspect(Inspector& f, catalogue_changed& x) {
  return f.object(x).fields(f.field("servers", x.servers));
}

} // namespace caf_mcp
