#include "caf_mcp/actors/connection/connection_actor.hpp"
#include "caf_mcp/actors/loop/caf_io_version.hpp"
#include "caf_mcp/actors/nodes.hpp"
#include "caf_mcp/actors/nodes/caf_transport.hpp"
#include "caf_mcp/actors/nodes/gateway_actor.hpp"
#include "caf_mcp/actors/nodes/greeting_errors.hpp"
#include "caf_mcp/actors/nodes/node_connector.hpp"
#include "caf_mcp/actors/nodes/node_gate.hpp"
#include "caf_mcp/actors/nodes/tls_context.hpp"
#include "caf_mcp/actors/tls.hpp"
#include "caf_mcp/messages/error_info.hpp"

#include <caf/actor_cast.hpp>
#include <caf/actor_system.hpp>
#include <caf/io/middleman.hpp>
#include <caf/node_id.hpp>
#include <caf/scoped_actor.hpp>
#include <caf/sec.hpp>

#include <future>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>

namespace caf_mcp {

void init_global_meta_objects_of_nodes() {
  caf::io::middleman::init_global_meta_objects();
  init_global_meta_objects();
}

caf::expected<std::uint16_t> publish_hub(caf::actor_system& system,
                                         const hub& servers,
                                         const node_address& where,
                                         const peer_limits& limits) {
  std::shared_ptr<tls_context> context;
  if (where.transport == node_transport::tls) {
    context = tls_context_of(system);
    if (!context)
      return config_error("listen", no_tls);
  }
  auto gate
    = node_gate::listen(where.host, where.port, context, limits_of_process());
  if (!gate)
    return std::move(gate.error());
  auto published = gateway{system.spawn<gateway_actor>(servers, limits)};
  caf::actor_cast<caf::abstract_actor*>(published)->attach_functor(
    [door = std::weak_ptr{*gate}](const caf::error&) {
      if (auto open = door.lock())
        open->stop();
    });
  const auto port = (*gate)->port();
  caf_version::publish(protocol_broker(system),
                       make_doorman(system, where.host, std::move(*gate)), port,
                       caf::actor_cast<caf::strong_actor_ptr>(published),
                       system.message_types(published));
  return port;
}

namespace {

struct greeting_result {
  std::optional<node_socket> socket;
  std::string why;
};

greeting_result connect_and_wait(caf::actor_system& system,
                                 const node_address& where,
                                 caf::timespan limit) {
  auto result = std::make_shared<std::promise<greeting_result>>();
  auto future = result->get_future();
  const auto io = io_thread::shared();
  connect_to_node(
    io, where.host, where.port,
    where.transport == node_transport::tls ? tls_context_of(system) : nullptr,
    node_greeting::clock::now() + limit,
    [result](std::optional<node_socket> socket, std::string why) {
      result->set_value({std::move(socket), std::move(why)});
    });
  return future.get();
}

} // namespace

caf::expected<gateway> connect_gateway(caf::actor_system& system,
                                       const node_address& where,
                                       caf::timespan limit) {
  if (where.transport == node_transport::tls && !has_tls(system))
    return config_error("node", no_tls);
  auto wrong = [&where](const std::string& why) {
    return lost_error({close_cause::node_lost, 0,
                       "cannot connect to " + to_string(where) + ": " + why,
                       ""},
                      "not_sent");
  };
  auto connected = connect_and_wait(system, where, limit);
  if (!connected.socket)
    return wrong(connected.why);
  caf::expected<gateway> result{caf::sec::runtime_error};
  caf::scoped_actor self{system};
  caf_version::greet_node(*self.ptr(), protocol_broker(system),
                          make_scribe(system, std::move(*connected.socket)),
                          where.port, limit)
    .receive(
      [&](const caf::node_id&, const caf::strong_actor_ptr& node,
          const std::set<std::string>&) {
        if (node)
          result = caf::actor_cast<gateway>(node);
        else
          result = wrong("nothing is published there");
      },
      [&](const caf::error& error) {
        result = wrong(why_not_greeted(where, error));
      });
  return result;
}

} // namespace caf_mcp
