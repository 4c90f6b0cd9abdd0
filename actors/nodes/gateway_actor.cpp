#include "caf_mcp/actors/nodes/gateway_actor.hpp"

#include "caf_mcp/actors/nodes/connected_peers.hpp"
#include "caf_mcp/actors/nodes/facade_actor.hpp"
#include "caf_mcp/actors/nodes/offered_catalogue.hpp"
#include "caf_mcp/actors/nodes/public_errors.hpp"
#include "caf_mcp/messages/config/server_config.hpp"
#include "caf_mcp/messages/error_info.hpp"

#include <caf/actor_cast.hpp>
#include <caf/actor_system.hpp>

#include <algorithm>

namespace caf_mcp {

namespace {

bool holds(const std::vector<server_status>& servers, std::string_view name) {
  return std::any_of(
    servers.begin(), servers.end(),
    [name](const server_status& each) { return each.name == name; });
}

/// Returns the error for a server that is not there; the others are known.
caf::error unknown(const std::vector<server_status>& servers,
                   std::string_view name) {
  server_config known;
  for (const auto& each : servers)
    if (each.name != name)
      known.servers.emplace_back().name = each.name;
  return find_server(known, name).error();
}

} // namespace

// -- the hidden half ----------------------------------------------------------

gateway_agent::gateway_agent(caf::actor_config& cfg, hub servers,
                             gateway_actor* front)
  : hub_listener::base{cfg},
    servers_{std::move(servers)},
    front_{front},
    front_pointer_{front->ctrl()} {
  // nop
}

gateway_agent::behavior_type gateway_agent::make_behavior() {
  caf_version::set_down_handler(
    this, [this](const caf::actor_addr&, const caf::error&) { on_hub_down(); });
  caf_version::watch(
    this, caf::actor_cast<caf::strong_actor_ptr>(servers_),
    [this](const caf::actor_addr&, const caf::error&) { on_hub_down(); });
  // Its first word is what is offered, before the answer to any question.
  caf_version::tell(this, servers_, watch_servers{});
  return {[this](server_changed& change) {
    if (current_sender() != servers_)
      return; // nobody else says what is offered
    to_front([status = std::move(change.status)](gateway_actor& front) {
      front.on_changed(status);
    });
  }};
}

template <class Answer, class Message>
void gateway_agent::ask(std::uint64_t number, Message message) {
  caf_version::ask(*this, servers_, caf::infinite, std::move(message))
    .then(
      [this, number](Answer& answer) {
        to_front(
          [number, answer = std::move(answer)](gateway_actor& front) mutable {
            front.on_answer(number, caf::expected<Answer>{std::move(answer)});
          });
      },
      [this, number](const caf::error& error) {
        to_front([number, error = public_error(error)](gateway_actor& front) {
          front.on_answer(number, caf::expected<Answer>{error});
        });
      });
}

void gateway_agent::on_hub_down() {
  to_front([](gateway_actor& front) { front.on_hub_down(); });
  quit();
}

template <class Function>
void gateway_agent::to_front(Function what) {
  post(front_pointer_.lock(),
       [front = front_, what = std::move(what)]() mutable { what(*front); });
}

// -- the published half -------------------------------------------------------

gateway_actor::gateway_actor(caf::actor_config& cfg, hub servers,
                             const peer_limits& limits)
  : gateway_base{cfg}, servers_{std::move(servers)}, limits_{limits} {
  // nop
}

gateway_actor::behavior_type gateway_actor::make_behavior() {
  agent_ = caf::actor_cast<caf::strong_actor_ptr>(
    system().spawn<gateway_agent>(std::exchange(servers_, nullptr), this));
  return {
    [this](const look_up& message) { return on_look_up(message); },
    [this](const get_servers& message) {
      return on_question<std::vector<server_status>>(message);
    },
    [this](const get_catalogue& message) {
      return on_question<payload>(message);
    },
  };
}

void gateway_actor::on_exit() {
  questions_.clear();
  facades_.clear();
  agent_ = nullptr;
}

caf::result<mcp_server> gateway_actor::on_look_up(const look_up& message) {
  const auto caller = current_sender();
  if (!caller)
    return config_error("sender", "a server is looked up by an actor");
  auto share = account_of(caller)->take(peer_use::request);
  if (!share)
    return std::move(share.error());
  auto promise = make_response_promise<mcp_server>();
  ask<mcp_server>(
    {pending_look_up{message.name, caller, promise}, std::move(*share)},
    message);
  return promise;
}

template <class Answer, class Message>
caf::result<Answer> gateway_actor::on_question(const Message& message) {
  auto share = account_of(current_sender())->take(peer_use::request);
  if (!share)
    return std::move(share.error());
  auto promise = make_response_promise<Answer>();
  ask<Answer>({promise, std::move(*share)}, message);
  return promise;
}

template <class Answer, class Message>
void gateway_actor::ask(pending_question question, const Message& message) {
  const auto number = ++last_number_;
  questions_.emplace(number, std::move(question));
  auto* agent = static_cast<gateway_agent*>(
    caf::actor_cast<caf::abstract_actor*>(agent_));
  post(agent_,
       [agent, number, message] { agent->ask<Answer>(number, message); });
}

std::shared_ptr<peer_account>
gateway_actor::account_of(const caf::strong_actor_ptr& caller) {
  const auto node = caller ? caller->node() : caf::node_id{};
  auto& known = accounts_[connected_peers::shared().identity_of(
    bytes_of(system(), node))];
  auto result = known.lock();
  if (!result) {
    result = std::make_shared<peer_account>(limits_);
    known = result;
    std::erase_if(accounts_,
                  [](const auto& each) { return each.second.expired(); });
  }
  return result;
}

/// A server that is hidden is as one that is not there. The hub's own error
/// would name the hidden ones.
void gateway_actor::on_answer(std::uint64_t number,
                              caf::expected<mcp_server> found) {
  auto question = questions_.extract(number);
  auto& asked = std::get<pending_look_up>(question.mapped().answer);
  if (found && is_offered(asked.name))
    asked.promise.deliver(facade_of(*found, asked));
  else
    ask<std::vector<server_status>>(
      {pending_refusal{std::move(asked.name),
                       found ? caf::error{} : std::move(found.error()),
                       asked.promise},
       std::move(question.mapped().share)},
      get_servers{});
}

caf::error gateway_actor::refusal(const pending_refusal& asked,
                                  const std::vector<server_status>& offered) {
  const auto is_there = holds(offered, asked.name);
  const auto is_unknown
    = !asked.why || describe(asked.why).name == to_string(errc::not_found);
  return is_there && !is_unknown ? asked.why : unknown(offered, asked.name);
}

void gateway_actor::on_answer(
  std::uint64_t number, caf::expected<std::vector<server_status>> servers) {
  auto question = questions_.extract(number);
  if (servers)
    std::erase_if(*servers, [this](const server_status& each) {
      return !is_offered(each.name);
    });
  if (auto* refused = std::get_if<pending_refusal>(&question.mapped().answer)) {
    refused->promise.deliver(servers ? refusal(*refused, *servers)
                                     : servers.error());
    return;
  }
  auto& promise
    = std::get<caf::typed_response_promise<std::vector<server_status>>>(
      question.mapped().answer);
  if (!servers) {
    promise.deliver(std::move(servers.error()));
    return;
  }
  for (auto& each : *servers)
    each = public_status(std::move(each));
  promise.deliver(std::move(*servers));
}

void gateway_actor::on_answer(std::uint64_t number,
                              caf::expected<payload> catalogue) {
  auto question = questions_.extract(number);
  auto& promise
    = std::get<caf::typed_response_promise<payload>>(question.mapped().answer);
  if (catalogue)
    promise.deliver(public_catalogue(offered_catalogue(*catalogue, offers_)));
  else
    promise.deliver(std::move(catalogue.error()));
}

void gateway_actor::on_changed(const server_status& server) {
  auto& known = offers_[server.name];
  if (known == server.offer)
    return;
  known = server.offer;
  for (const auto& [key, facade] : facades_)
    if (facade.server_name == server.name)
      post(caf::actor_cast<caf::strong_actor_ptr>(facade.actor),
           [actor = static_cast<facade_actor*>(
              caf::actor_cast<caf::abstract_actor*>(facade.actor)),
            offer = server.offer] { actor->on_offer(offer); });
}

bool gateway_actor::is_offered(const std::string& name) const {
  const auto found = offers_.find(name);
  return found != offers_.end() && found->second.remote;
}

/// A caller that looks a server up again gets what it has: it cannot make a
/// node spawn without end.
caf::expected<mcp_server>
gateway_actor::facade_of(const mcp_server& server,
                         const pending_look_up& asked) {
  const facade_key key{server.address(),
                       caf::actor_cast<caf::actor_addr>(asked.caller)};
  if (auto known = facades_.find(key); known != facades_.end())
    return known->second.actor;
  auto account = account_of(asked.caller);
  auto share = account->take(peer_use::facade);
  if (!share)
    return std::move(share.error());
  mcp_server added{system().spawn<facade_actor>(
    server, asked.caller, offers_.at(asked.name), std::move(account))};
  facades_.emplace(key, known_facade{asked.name, added});
  auto* actor = caf::actor_cast<caf::abstract_actor*>(added);
  actor->attach_functor([this, key, self = caf::weak_actor_ptr{ctrl()},
                         share = std::make_shared<peer_share>(
                           std::move(*share))](const caf::error&) {
    post(self.lock(), [this, key] { facades_.erase(key); });
  });
  return added;
}

} // namespace caf_mcp
