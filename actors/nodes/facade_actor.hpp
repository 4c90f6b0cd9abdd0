#pragma once

#include "caf_mcp/actors/interfaces.hpp"
#include "caf_mcp/actors/nodes/front_actor.hpp"
#include "caf_mcp/actors/nodes/offered_tools.hpp"
#include "caf_mcp/actors/nodes/own_tasks.hpp"
#include "caf_mcp/actors/nodes/peer_account.hpp"

#include <caf/actor_control_block.hpp>
#include <caf/result.hpp>
#include <caf/typed_event_based_actor.hpp>
#include <caf/typed_response_promise.hpp>

#include <cstdint>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <utility>
#include <variant>
#include <vector>

namespace caf_mcp {

class facade_agent;

/// What an `mcp_server` answers to one message, or why it does not.
template <class Answer>
using facade_answer = caf::expected<Answer>;

using facade_base
  = front_actor<mcp_server::base, front_responses::accepted, open_connection,
                get_session, send_request, list_all, send_notification,
                cancel_request, listen, grant_events, cancel_subscription,
                send_pipelined, await_answers>;

/// The actor that stands for a server of this node to one caller on another
/// node; the caller knows no other actor of the server.
///
/// Its `facade_agent` sends the requests, and so owns them: the server takes
/// the agent for the caller. This actor keeps the promises, passes on reports,
/// and gives subscriptions ids that nobody can guess.
///
/// Links: nobody. Monitors: its caller. Runs on CAF's scheduler. Ends with its
/// caller, or with the server; its agent ends with it. Invariants: serves no
/// sender but its caller, and no tool that is not offered; all that it keeps
/// for its caller is on the account of the peer; the responses it takes, to
/// reports of progress, say no more than that the next one may come.
class facade_actor final : public facade_base {
public:
  facade_actor(caf::actor_config& cfg, mcp_server server,
               caf::strong_actor_ptr caller, server_offer offer,
               std::shared_ptr<peer_account> account);

  const char* name() const override {
    return "caf_mcp.facade";
  }

  void on_exit() override;

  // -- what the gateway posts -------------------------------------------------

  /// Other nodes may use this of the server from now on.
  void on_offer(server_offer offer);

  // -- what the agent posts ---------------------------------------------------

  template <class Answer>
  void on_answer(std::uint64_t number, facade_answer<Answer> answer);
  void on_subscribed(std::uint64_t number, std::uint64_t id);
  void on_progress(std::uint64_t number, progress report);
  template <class Report>
  void on_report(Report report);
  void on_server_down() {
    quit();
  }

protected:
  behavior_type make_behavior() override;

private:
  template <class Answer>
  using promise = caf::typed_response_promise<Answer>;

  using any_promise
    = std::variant<promise<session_info>, promise<payload>, promise<void>,
                   promise<std::uint64_t>, promise<pipelined_answers>>;

  /// What the caller waits for.
  struct open_question {
    any_promise promise;
    peer_share share;
  };

  /// A request of a pipeline, until it is answered.
  struct open_slot {
    peer_share share;
    /// Why it was not passed on, if it was not.
    caf::error refusal;
  };

  struct open_subscription {
    /// As the server knows it.
    std::uint64_t id = 0;
    peer_share share;
  };

  using slot_key = std::pair<std::uint64_t, std::uint64_t>;

  template <class Answer, class Message>
  caf::result<Answer> pass_on(Message message, peer_share share);
  template <class Answer, class Message>
  caf::result<Answer> pass_on_counted(Message message, peer_use use);
  /// The same unless the message would call a tool that is not offered.
  template <class Answer, class Message>
  caf::result<Answer> pass_on_checked(Message message);
  caf::result<payload> on_list_all(list_all& message);
  template <class Answer, class Message>
  caf::result<Answer> on_pipelined(Message& message);
  caf::result<void> on_send_pipelined(send_pipelined& message);
  caf::result<pipelined_answers> on_await_answers(await_answers& message);
  /// Takes note of the requests of a pipeline, and makes the connection refuse
  /// some. Returns an error if there are so many that not even a refusal can be
  /// kept.
  caf::error take(std::uint64_t pipeline,
                  std::vector<pipelined_request>& requests);
  caf::error take(const slot_key& key, pipelined_request& request);
  /// Leaves out of an answer what is not offered.
  void hide(std::uint64_t number, payload& answer);
  void hide(std::uint64_t number, pipelined_answers& answers);
  caf::result<std::uint64_t> on_listen(listen& message);
  template <class Message>
  caf::result<void> on_subscription(Message message);
  /// Returns an error unless the caller is the sender.
  caf::error check_sender();
  void watch_caller();

  mcp_server server_;
  caf::strong_actor_ptr caller_;
  /// Ended by this actor alone.
  caf::strong_actor_ptr agent_;
  std::uint64_t last_number_ = 0;
  std::shared_ptr<peer_account> account_;
  std::map<std::uint64_t, open_question> questions_;
  /// By the ids that the caller knows, and from those of the server to them.
  std::map<std::uint64_t, open_subscription> subscriptions_;
  std::map<std::uint64_t, std::uint64_t> public_ids_;
  offered_tools offered_;
  own_tasks tasks_;
  /// Numbers of questions that are answered with a list of tools.
  std::set<std::uint64_t> tool_lists_;
  /// From the number of a question to the pipeline whose answers it awaits.
  std::map<std::uint64_t, std::uint64_t> awaited_pipelines_;
  /// By pipeline and slot; a caller may use one twice.
  std::multimap<slot_key, open_slot> slots_;
  std::random_device random_;
};

} // namespace caf_mcp
