#include "caf_mcp/actors/nodes/node_survey_actor.hpp"

#include "caf_mcp/actors/connection/call_errors.hpp"
#include "caf_mcp/actors/loop/caf_version.hpp"
#include "caf_mcp/actors/nodes/find_gateway.hpp"
#include "caf_mcp/actors/tls.hpp"
#include "caf_mcp/messages/close_reason.hpp"
#include "caf_mcp/messages/error_info.hpp"
#include "caf_mcp/messages/error_payload.hpp"
#include "caf_mcp/messages/json/compose.hpp"

#include <caf/actor_system.hpp>
#include <caf/sec.hpp>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

namespace caf_mcp {

node_survey spawn_node_survey(caf::actor_system& system,
                              std::vector<node_address> nodes,
                              survey_limits limits) {
  return system.spawn<node_survey_actor>(std::move(nodes), limits);
}

node_survey_actor::node_survey_actor(caf::actor_config& cfg,
                                     std::vector<node_address> nodes,
                                     survey_limits limits)
  : node_survey::base{cfg}, limits_{limits} {
  for (auto& where : nodes)
    visits_.emplace_back().where = std::move(where);
}

/// CAF keeps this object until its time-outs have passed.
void node_survey_actor::on_exit() {
  visits_.clear();
  node_survey::base::on_exit();
}

node_survey_actor::behavior_type node_survey_actor::make_behavior() {
  return {
    [this](get_servers) { return begin(false); },
    [this](get_catalogue) { return begin(true); },
    [this](const cancel_request&) { on_cancel(); },
  };
}

caf::result<payload> node_survey_actor::begin(bool wants_catalogue) {
  if (is_cancelled_)
    return local_error(errc::cancelled, "interrupted");
  wants_catalogue_ = wants_catalogue;
  promise_ = make_response_promise<payload>();
  for (std::size_t i = 0; i < visits_.size(); ++i)
    find_node(i);
  return promise_;
}

void node_survey_actor::find_node(std::size_t which) {
  const auto& where = visits_[which].where;
  if (where.transport == node_transport::tls && !has_tls(system())) {
    lose(which, std::string{no_tls});
    return;
  }
  find_gateway(this, where, limits_.answer,
               [this, which](const std::optional<found_gateway>& found,
                             const std::string& why) {
                 if (!found)
                   return lose(which, why);
                 visits_[which].node = found->node;
                 ask_for_servers(which);
               });
}

void node_survey_actor::ask_for_servers(std::size_t which) {
  caf_version::ask(*this, visits_[which].node, limits_.answer, get_servers{})
    .then([this, which](
            const std::vector<server_status>& all) { on_servers(which, all); },
          [this, which](const caf::error& error) { fail(which, error); });
}

void node_survey_actor::on_servers(std::size_t which,
                                   const std::vector<server_status>& all) {
  auto& visit = visits_[which];
  if (!std::exchange(visit.has_waited, true))
    for (const auto& each : all)
      if (each.state == server_state::starting)
        wait_for(which, each);
  if (visit.servers_waited_for > 0)
    return;
  if (wants_catalogue_) {
    ask_for_catalogue(which);
    return;
  }
  std::vector<payload> documents;
  for (const auto& each : all)
    documents.push_back(to_payload(each));
  finish(which, with_member({}, "servers", compose_array(documents)));
}

void node_survey_actor::wait_for(std::size_t which,
                                 const server_status& server) {
  ++visits_[which].servers_waited_for;
  caf_version::ask(*this, visits_[which].node, limits_.answer,
                   look_up{server.name})
    .then(
      [this, which](const mcp_server& found) {
        caf_version::ask(*this, found, limits_.servers, open_connection{})
          .then([this, which](const session_info&) { on_waited(which); },
                [this, which](const caf::error&) { on_waited(which); });
      },
      [this, which](const caf::error&) { on_waited(which); });
}

/// Ready or not, the node says how it is now.
void node_survey_actor::on_waited(std::size_t which) {
  if (--visits_[which].servers_waited_for == 0)
    ask_for_servers(which);
}

void node_survey_actor::ask_for_catalogue(std::size_t which) {
  caf_version::ask(*this, visits_[which].node, limits_.servers, get_catalogue{})
    .then(
      [this, which](const payload& catalogue) {
        finish(which, with_member({}, "catalogue", catalogue));
      },
      [this, which](const caf::error& error) { fail(which, error); });
}

void node_survey_actor::lose(std::size_t which, const std::string& why) {
  const close_reason reason{
    close_cause::node_lost, 0,
    "cannot connect to " + to_string(visits_[which].where) + ": " + why, ""};
  finish(which,
         with_member({}, "error",
                     to_payload(describe(lost_error(reason, "not_sent")))));
}

/// An error of CAF's own says nothing of the node.
void node_survey_actor::fail(std::size_t which, const caf::error& error) {
  if (error.category() != caf::type_id_v<caf::sec>) {
    finish(which, with_member({}, "error", to_payload(describe(error))));
    return;
  }
  lose(which, error == caf::sec::request_timeout ? "it does not answer"
                                                 : "the connection was lost");
}

void node_survey_actor::finish(std::size_t which, payload outcome) {
  auto& visit = visits_[which];
  const auto node = with_member({}, "node", to_payload(to_string(visit.where)));
  auto members = members_of(node);
  for (auto& each : members_of(outcome))
    members.push_back(std::move(each));
  visit.outcome = compose_object(members);
  std::vector<payload> all;
  for (const auto& each : visits_)
    if (each.outcome)
      all.push_back(*each.outcome);
  if (all.size() == visits_.size() && promise_.pending())
    promise_.deliver(compose_array(all));
}

void node_survey_actor::on_cancel() {
  is_cancelled_ = true;
  if (promise_.pending())
    promise_.deliver(local_error(errc::cancelled, "interrupted"));
}

} // namespace caf_mcp
