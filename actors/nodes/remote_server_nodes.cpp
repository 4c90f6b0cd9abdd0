// The way to the nodes that have a server, and their loss.
#include "caf_mcp/actors/connection/connection_actor.hpp"
#include "caf_mcp/actors/nodes/caf_transport.hpp"
#include "caf_mcp/actors/nodes/find_gateway.hpp"
#include "caf_mcp/actors/nodes/remote_server_actor.hpp"
#include "caf_mcp/actors/tls.hpp"
#include "caf_mcp/messages/error_info.hpp"

#include <caf/actor_cast.hpp>
#include <caf/actor_system.hpp>

#include <array>
#include <chrono>
#include <optional>
#include <utility>

namespace caf_mcp {

namespace {

/// Time that a node gets to take a connection, and for its greeting.
constexpr std::chrono::seconds node_limit{10};

/// Time that a node gets for its answer to each look-up, one after the other.
constexpr std::array look_up_limits{
  std::chrono::seconds{1}, std::chrono::seconds{3}, std::chrono::seconds{6}};

/// Time that a node gets to notice that a connection has ended: of two, it
/// knows the caller by the first alone.
constexpr std::chrono::milliseconds repeat_pause{100};

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
  find_node(which);
}

void remote_server_actor::find_node(std::size_t which) {
  find_gateway(
    this, links_[which].where, node_limit,
    [this, which](std::optional<found_gateway> found, const std::string& why) {
      if (found)
        look_up_server(which, *found);
      else
        lose_node(which, refusal(links_[which].where, why));
    });
}

/// CAF does not fail a request that is lost with its connection; it does say
/// that the actor which was asked is down.
void remote_server_actor::look_up_server(std::size_t which,
                                         const found_gateway& found) {
  auto& phase = std::get<connecting>(links_[which].phase);
  phase.asked = found.node.address();
  phase.connection = found.connection;
  const auto number = ++last_look_up_;
  phase.look_up = number;
  watch_actor(caf::actor_cast<caf::strong_actor_ptr>(found.node));
  caf_version::ask(*this, found.node, look_up_limits[phase.lost_look_ups],
                   look_up{server_name_})
    .then(
      [this, which, number](mcp_server& server) {
        if (is_looking_up(which, number))
          become_ready(which, std::move(server));
      },
      [this, which, number](const caf::error& error) {
        if (is_looking_up(which, number))
          on_look_up_failed(which, error);
      });
}

bool remote_server_actor::is_looking_up(std::size_t which,
                                        std::uint64_t number) const {
  const auto* phase = std::get_if<connecting>(&links_[which].phase);
  return phase != nullptr && phase->look_up == number;
}

void remote_server_actor::on_look_up_failed(std::size_t which,
                                            const caf::error& error) {
  const auto why = describe(error);
  if (why.name == "connection_closed" || why.name == "request_timeout")
    repeat_look_up(which);
  else // its hub does not know the server
    lose(which, [&error](std::string_view) { return error; },
         {close_cause::node_lost, 0, why.message, ""});
}

/// A look-up changes nothing on the node: it may be lost, by whatever cause,
/// and be repeated over a new connection.
void remote_server_actor::repeat_look_up(std::size_t which) {
  auto& phase = std::get<connecting>(links_[which].phase);
  phase.asked = {};
  phase.look_up = 0;
  const auto connection = std::exchange(phase.connection, nullptr);
  if (++phase.lost_look_ups == look_up_limits.size()) {
    lose_node(which, "the node at " + to_string(links_[which].where)
                       + " does not answer");
    return;
  }
  close_if_unanswered(system(), connection);
  run_after(repeat_pause, [this, which] { find_node(which); });
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
