#pragma once

#include "caf_mcp/actors/loop/caf_io_version.hpp"
#include "caf_mcp/actors/nodes.hpp"
#include "caf_mcp/actors/nodes/caf_transport.hpp"
#include "caf_mcp/actors/nodes/front_actor.hpp"
#include "caf_mcp/actors/nodes/greeting_errors.hpp"
#include "caf_mcp/actors/nodes/io_thread.hpp"
#include "caf_mcp/actors/nodes/node_connector.hpp"
#include "caf_mcp/actors/nodes/tls_context.hpp"

#include <caf/actor_cast.hpp>
#include <caf/node_id.hpp>
#include <caf/sec.hpp>
#include <caf/timespan.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>

/// @file
/// How an actor reaches what a node has published.

namespace caf_mcp {

/// What a node has published, and how it was reached.
struct found_gateway {
  gateway node;
  /// By which the node was greeted. CAF goes on by another one if it knew the
  /// node already.
  caf::io::scribe_ptr connection;
};

/// Gets the gateway, or why there is none.
using gateway_handler
  = std::function<void(std::optional<found_gateway>, std::string why)>;

/// CAF gives up on a new connection that has said nothing yet when its next
/// heartbeat comes, however young it is: then it is tried again.
inline constexpr int connection_attempts = 3;

/// Greets the node at the other end of `socket`.
template <class Self>
void greet_gateway(Self* self, const node_address& where, node_socket socket,
                   caf::timespan limit, gateway_handler done,
                   std::function<void(gateway_handler)> try_again) {
  auto connection = make_scribe(self->system(), std::move(socket));
  caf_version::greet_node(*self, protocol_broker(self->system()), connection,
                          where.port, limit)
    .then(
      [done, connection](const caf::node_id&, const caf::strong_actor_ptr& node,
                         const std::set<std::string>&) {
        if (node)
          done(found_gateway{caf::actor_cast<gateway>(node), connection}, {});
        else
          done(std::nullopt, "nothing is published there");
      },
      [done, where, try_again](const caf::error& error) {
        if (error == caf::sec::connection_timeout && try_again)
          try_again(done);
        else
          done(std::nullopt, why_not_greeted(where, error));
      });
}

/// Connects to a node for `self`, greets it, and calls `done` once, as `self`;
/// never if that has ended meanwhile. Each of the two may take `limit`. `self`
/// holds `io_thread::shared()`, so that a thread that is refused is told to who
/// spawns it. The actor system has `tls_credentials` if `where` wants them.
template <class Self>
void find_gateway(Self* self, const node_address& where, caf::timespan limit,
                  gateway_handler done, int attempts = connection_attempts) {
  const auto context = where.transport == node_transport::tls
                         ? tls_context_of(self->system())
                         : nullptr;
  // The answer comes as an action: it may come after the end of the actor.
  connect_to_node(
    io_thread::shared(), where.host, where.port, context,
    node_greeting::clock::now() + limit,
    [self, where, limit, attempts, done = std::move(done),
     weak = caf::weak_actor_ptr{self->ctrl()}](
      std::optional<node_socket> socket, std::string why) {
      auto go_on = [=, why = std::move(why),
                    connected = std::make_shared<std::optional<node_socket>>(
                      std::move(socket))] {
        if (!*connected)
          return done(std::nullopt, why);
        std::function<void(gateway_handler)> again;
        if (attempts > 1)
          again = [=](gateway_handler then) {
            find_gateway(self, where, limit, std::move(then), attempts - 1);
          };
        greet_gateway(self, where, std::move(**connected), limit, done, again);
      };
      post(weak.lock(), std::move(go_on));
    });
}

} // namespace caf_mcp
