#include "caf_mcp/actors/hub/node.hpp"
#include "caf_mcp/actors/hub/tls.hpp"
#include "caf_mcp/messages/error_info.hpp"

#include <caf/actor_system.hpp>
#include <caf/io/middleman.hpp>
#include <caf/openssl/publish.hpp>
#include <caf/typed_event_based_actor.hpp>

namespace caf_mcp {

namespace {

/// Passes on what other nodes may ask of a hub, and nothing else. Linked to it,
/// and ends with it for whatever reason: the actor system would wait for it.
gateway::behavior_type gateway_actor(gateway::pointer self,
                                     const hub& servers) {
  caf_version::set_exit_handler(
    self, [self](const caf::actor_addr&, const caf::error& reason) {
      self->quit(reason);
    });
  self->link_to(servers);
  return {
    [self, servers](const look_up& message) {
      return caf_version::pass_on(self, servers, message);
    },
    [self, servers](const get_servers& message) {
      return caf_version::pass_on(self, servers, message);
    },
    [self, servers](const get_catalogue& message) {
      return caf_version::pass_on(self, servers, message);
    },
  };
}

} // namespace

caf::expected<std::uint16_t> publish_hub(caf::actor_system& system,
                                         const hub& servers,
                                         const node_address& where) {
  constexpr auto reuse_address = true; // a restart finds its port free
  const auto is_tls = where.transport == node_transport::tls;
  if (is_tls && !has_tls(system))
    return config_error("listen", no_tls);
  auto published = system.spawn(gateway_actor, servers);
  auto port = is_tls
                ? caf::openssl::publish(published, where.port,
                                        where.host.c_str(), reuse_address)
                : system.middleman().publish(published, where.port,
                                             where.host.c_str(), reuse_address);
  if (!port)
    return config_error("listen", "cannot listen at " + to_string(where) + ": "
                                    + caf::to_string(port.error()));
  return *port;
}

} // namespace caf_mcp
