// The way to the nodes that have a server, and their loss.
#include "caf_mcp/actors/connection/connection_actor.hpp"
#include "caf_mcp/actors/loop/caf_io_version.hpp"
#include "caf_mcp/actors/nodes/caf_transport.hpp"
#include "caf_mcp/actors/nodes/front_actor.hpp"
#include "caf_mcp/actors/nodes/greeting_errors.hpp"
#include "caf_mcp/actors/nodes/node_connector.hpp"
#include "caf_mcp/actors/nodes/remote_server_actor.hpp"
#include "caf_mcp/actors/nodes/tls_context.hpp"
#include "caf_mcp/actors/tls.hpp"
#include "caf_mcp/messages/error_info.hpp"

#include <caf/actor_cast.hpp>
#include <caf/actor_system.hpp>
#include <caf/sec.hpp>

#include <chrono>
#include <memory>
#include <optional>
#include <set>
#include <utility>

namespace caf_mcp {

namespace {

/// Time that a node gets for each step of the way to a server.
constexpr std::chrono::seconds node_limit{10};

constexpr int connection_attempts = 3;

/// Says why there is no way to a node.
std::string refusal(const node_address& where, const std::string& why) {
  auto result = "cannot connect to " + to_string(where) + ": " + why;
  if (where.transport == node_transport::tls
      && why.find("certificate") != std::string::npos)
    result += "; each side must take the certificate of the other";
  return result;
}

} // namespace

void remote_server_actor::connect(std::size_t which) {
  auto& link = links_[which];
  if (!std::holds_alternative<idle>(link.phase))
    return;
  link.phase = connecting{};
  if (link.where.transport == node_transport::tls && !has_tls(system())) {
    lose_node(which, std::string{no_tls});
    return;
  }
  request_connection(which, connection_attempts);
}

/// The answer comes as an action: it may come after the end of this actor.
void remote_server_actor::request_connection(std::size_t which, int attempts) {
  const auto& where = links_[which].where;
  const auto context = where.transport == node_transport::tls
                         ? tls_context_of(system())
                         : nullptr;
  connect_to_node(
    io_, where.host, where.port, context, clock::now() + node_limit,
    [this, self = caf::weak_actor_ptr{ctrl()}, which,
     attempts](std::optional<node_socket> socket, std::string why) {
      post(self.lock(), [this, which, attempts, why = std::move(why),
                         socket = std::make_shared<std::optional<node_socket>>(
                           std::move(socket))] {
        if (*socket)
          greet(which, std::move(**socket), attempts);
        else
          lose_node(which, refusal(links_[which].where, why));
      });
    });
}

/// CAF gives up on a new connection that has said nothing yet when its next
/// heartbeat comes, however young it is: then it is tried again.
void remote_server_actor::greet(std::size_t which, node_socket socket,
                                int attempts) {
  caf_version::greet_node(*this, protocol_broker(system()),
                          make_scribe(system(), std::move(socket)),
                          links_[which].where.port, node_limit)
    .then(
      [this, which](const caf::node_id&, const caf::strong_actor_ptr& node,
                    const std::set<std::string>&) {
        if (node)
          look_up_server(which, caf::actor_cast<gateway>(node));
        else
          lose_node(which, "nothing is published at "
                             + to_string(links_[which].where));
      },
      [this, which, attempts](const caf::error& error) {
        if (error == caf::sec::connection_timeout && attempts > 1)
          request_connection(which, attempts - 1);
        else
          lose_node(which,
                    refusal(links_[which].where,
                            why_not_greeted(links_[which].where, error)));
      });
}

void remote_server_actor::look_up_server(std::size_t which,
                                         const gateway& node) {
  caf_version::ask(*this, node, node_limit, look_up{server_name_})
    .then(
      [this, which](mcp_server& server) {
        become_ready(which, std::move(server));
      },
      [this, which](const caf::error& error) {
        const auto why = describe(error);
        if (why.name == "connection_closed" || why.name == "request_timeout")
          lose_node(which, "the node at " + to_string(links_[which].where)
                             + " does not answer");
        else // its hub does not know the server
          lose(which, [&error](std::string_view) { return error; },
               {close_cause::node_lost, 0, why.message, ""});
      });
}

void remote_server_actor::become_ready(std::size_t which, mcp_server server) {
  watch_actor(caf::actor_cast<caf::strong_actor_ptr>(server));
  links_[which].phase = ready{std::move(server)};
  rotation_.on_ready(which);
  tell_watchers(status());
  for (auto tag : calls_of(which))
    if (!calls_.at(tag).is_sent)
      dispatch(tag, which);
}

void remote_server_actor::lose_node(std::size_t which,
                                    const std::string& detail) {
  const close_reason reason{close_cause::node_lost, 0, detail, ""};
  lose(
    which,
    [&reason](std::string_view outcome) { return lost_error(reason, outcome); },
    reason);
}

void remote_server_actor::lose(std::size_t which, const error_maker& error_for,
                               const close_reason& reason) {
  links_[which].phase = idle{};
  rotation_.on_failed(which, clock::now());
  end_subscriptions_of(which, to_error(reason));
  for (auto tag : calls_of(which)) {
    if (calls_.at(tag).is_sent)
      fail(tag, error_for("unknown"));
    else
      pass_to_next(tag, error_for("not_sent"));
  }
  auto now = status();
  now.reason = reason;
  tell_watchers(now);
}

const mcp_server* remote_server_actor::server_of(std::size_t which) const {
  const auto* current = std::get_if<ready>(&links_[which].phase);
  return current != nullptr ? &current->server : nullptr;
}

std::vector<std::uint64_t>
remote_server_actor::calls_of(std::size_t which) const {
  std::vector<std::uint64_t> result;
  for (const auto& [tag, each] : calls_)
    if (each.is_sent ? each.link == which : each.tried.contains(which))
      result.push_back(tag);
  return result;
}

} // namespace caf_mcp
