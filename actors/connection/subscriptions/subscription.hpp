#pragma once

#include "caf_mcp/actors/connection/subscriptions/event_buffer.hpp"
#include "caf_mcp/messages/subscriptions.hpp"

#include <caf/actor_addr.hpp>
#include <caf/error.hpp>

#include <cstdint>
#include <set>
#include <string>

namespace caf_mcp {

/// A subscription from `listen` to its end, across processes of the server.
struct subscription {
  std::uint64_t id = 0;
  caf::actor_addr owner;
  listen_options options;
  /// What the owner asked for.
  listen_filter filter;
  /// What the current process has agreed to.
  listen_filter accepted;
  event_buffer events;
  /// Whether the owner has been told that it was accepted.
  bool was_accepted = false;
  /// Whether the current process takes part: events pass.
  bool is_open = false;
  /// The request that waits to be sent or, in the modern era, stays open; 0 if
  /// there is none.
  std::int64_t request = 0;
  /// URIs of which a legacy server has not said yet whether it reports on them.
  std::set<std::string> unanswered_uris = {};
  /// Why a legacy server does not report on a URI, the last it refused.
  caf::error refusal = {};
};

} // namespace caf_mcp
