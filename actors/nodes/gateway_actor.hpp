#pragma once

#include "caf_mcp/actors/nodes.hpp"
#include "caf_mcp/actors/nodes/front_actor.hpp"
#include "caf_mcp/actors/nodes/peer_account.hpp"

#include <caf/actor_addr.hpp>
#include <caf/actor_control_block.hpp>
#include <caf/expected.hpp>
#include <caf/result.hpp>
#include <caf/typed_event_based_actor.hpp>
#include <caf/typed_response_promise.hpp>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace caf_mcp {

class gateway_actor;

/// Asks the hub for a gateway, and watches it; no other node learns of it.
///
/// Links: nobody. Monitors: the hub. Ends with it, and its gateway too.
class gateway_agent final : public hub_listener::base {
public:
  gateway_agent(caf::actor_config& cfg, hub servers, gateway_actor* front);

  const char* name() const override {
    return "caf_mcp.gateway_agent";
  }

  /// Posts the answer of the hub to the gateway, under this number.
  template <class Answer, class Message>
  void ask(std::uint64_t number, Message message);

protected:
  behavior_type make_behavior() override;

private:
  void on_hub_down();
  template <class Function>
  void to_front(Function what);

  hub servers_;
  gateway_actor* front_;
  caf::weak_actor_ptr front_pointer_;
};

using gateway_base = front_actor<gateway::base, front_responses::refused,
                                 look_up, get_servers, get_catalogue>;

/// The one actor of a node that is published: it says what servers there are,
/// and gives each caller a `facade_actor` for each server that it looks up.
///
/// Links: nobody. Monitors: callers that have a facade, and facades. Ends with
/// the hub. Invariants: everything that other nodes get was sent by this actor
/// or a facade; they get nothing of a server that the configuration keeps from
/// them, and no name of a tool that is not offered; what is kept for a peer is
/// on its account.
class gateway_actor final : public gateway_base {
public:
  gateway_actor(caf::actor_config& cfg, hub servers, const peer_limits& limits);

  const char* name() const override {
    return "caf_mcp.gateway";
  }

  void on_exit() override;

  // -- what the agent posts ---------------------------------------------------

  void on_answer(std::uint64_t number, caf::expected<mcp_server> found);
  void on_answer(std::uint64_t number,
                 caf::expected<std::vector<server_status>> servers);
  void on_answer(std::uint64_t number, caf::expected<payload> catalogue);
  void on_changed(const server_status& server);
  void on_hub_down() {
    quit();
  }

protected:
  behavior_type make_behavior() override;

private:
  /// Who looks which server up, until the hub answers.
  struct pending_look_up {
    std::string name;
    caf::strong_actor_ptr caller;
    caf::typed_response_promise<mcp_server> promise;
  };

  /// Which server was not found, or cannot be used, until the hub says which
  /// ones there are.
  struct pending_refusal {
    std::string name;
    /// What the hub has said; none if the server is hidden.
    caf::error why;
    caf::typed_response_promise<mcp_server> promise;
  };

  using pending_answer
    = std::variant<pending_look_up, pending_refusal,
                   caf::typed_response_promise<std::vector<server_status>>,
                   caf::typed_response_promise<payload>>;

  struct pending_question {
    pending_answer answer;
    peer_share share;
  };

  /// The server on this node, and who calls it.
  using facade_key = std::pair<caf::actor_addr, caf::actor_addr>;

  struct known_facade {
    std::string server_name;
    mcp_server actor;
  };

  caf::result<mcp_server> on_look_up(const look_up& message);
  template <class Answer, class Message>
  caf::result<Answer> on_question(const Message& message);
  template <class Answer, class Message>
  void ask(pending_question question, const Message& message);
  caf::expected<mcp_server> facade_of(const mcp_server& server,
                                      const pending_look_up& asked);
  /// Returns what is held for the peer on whose node `caller` is.
  std::shared_ptr<peer_account> account_of(const caf::strong_actor_ptr& caller);
  bool is_offered(const std::string& name) const;
  /// Returns what a caller is told, made of what is offered alone.
  static caf::error refusal(const pending_refusal& asked,
                            const std::vector<server_status>& offered);

  hub servers_;
  peer_limits limits_;
  /// By what is the same for all nodes of a peer; those in use.
  std::map<std::string, std::weak_ptr<peer_account>> accounts_;
  caf::strong_actor_ptr agent_;
  std::uint64_t last_number_ = 0;
  std::map<std::uint64_t, pending_question> questions_;
  std::map<facade_key, known_facade> facades_;
  /// By the name of the server; as of the hub's last word.
  std::map<std::string, server_offer, std::less<>> offers_;
};

} // namespace caf_mcp
