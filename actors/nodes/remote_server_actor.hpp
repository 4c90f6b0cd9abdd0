#pragma once

#include "caf_mcp/actors/connection/answer_streams.hpp"
#include "caf_mcp/actors/connection/reply.hpp"
#include "caf_mcp/actors/loop/monitors.hpp"
#include "caf_mcp/actors/nodes.hpp"
#include "caf_mcp/actors/nodes/find_gateway.hpp"
#include "caf_mcp/actors/nodes/io_thread.hpp"
#include "caf_mcp/actors/nodes/node_rotation.hpp"

#include <caf/actor_addr.hpp>
#include <caf/io/scribe.hpp>
#include <caf/node_id.hpp>
#include <caf/result.hpp>
#include <caf/typed_event_based_actor.hpp>
#include <caf/typed_response_promise.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace caf_mcp {

/// All that the stand-in for a server of other nodes understands.
using connection_and_reports = connection::extend<
  caf::result<void>(progress), caf::result<void>(subscription_accepted),
  caf::result<void>(subscription_event), caf::result<void>(events_dropped),
  caf::result<void>(subscription_resumed),
  caf::result<void>(subscription_closed)>;

/// The actor behind `spawn_remote_server`.
///
/// To the other nodes it is the one caller: it gives each request a tag of its
/// own, by which it finds who is to hear of progress, and by which it cancels;
/// and it owns all subscriptions. It keeps the promises, because CAF does not
/// fail the requests that a lost node has taken.
///
/// Links: nobody. Monitors: the server on each node, its owner, every actor
/// that has requests, watches or subscriptions, each once. Ends when it is
/// closed or its owner dies: CAF keeps an actor alive that other nodes have
/// heard of. Invariants: every accepted call is completed exactly once; what
/// was sent to one node is never sent to another.
class remote_server_actor final : public connection_and_reports::base {
public:
  /// `nodes` is not empty.
  remote_server_actor(caf::actor_config& cfg, std::vector<node_address> nodes,
                      std::string server_name);

  const char* name() const override {
    return "caf_mcp.remote_server";
  }

  void on_exit() override;

protected:
  behavior_type make_behavior() override;

private:
  using clock = std::chrono::steady_clock;

  struct idle {};

  struct connecting {
    /// What was asked for the server, if the node was found.
    caf::actor_addr asked;
    caf::io::scribe_ptr connection;
    /// The look-up whose answer counts; 0 if there is none.
    std::uint64_t look_up = 0;
    /// How many were lost.
    std::size_t lost_look_ups = 0;
  };

  struct ready {
    mcp_server server;
  };

  /// One node, and the way to the server there.
  struct node_link {
    node_address where;
    std::variant<idle, connecting, ready> phase;
  };

  using call = std::variant<open_connection, send_request, list_all, listen>;

  using answer_promise
    = std::variant<caf::typed_response_promise<session_info>, reply,
                   caf::typed_response_promise<std::uint64_t>>;

  /// From acceptance to completion.
  struct pending_call {
    /// Whose death ends it; nobody's if invalid.
    caf::actor_addr caller;
    /// What the caller calls it; 0 if it cannot be cancelled by that.
    std::uint64_t tag = 0;
    call message;
    answer_promise promise;
    /// The nodes that it was given to; until it is sent, it waits for those of
    /// them that are being connected to.
    std::set<std::size_t> tried;
    /// The one that has it, if it is sent.
    std::size_t link = 0;
    bool is_sent = false;
  };

  /// From the answer of the node to the last message.
  struct remote_subscription {
    std::size_t link = 0;
    caf::node_id node;
    /// The id that the node gave it.
    std::uint64_t id = 0;
    caf::actor_addr owner;
  };

  using subscription_map = std::map<std::uint64_t, remote_subscription>;

  using error_maker = std::function<caf::error(std::string_view outcome)>;

  // messages
  caf::result<session_info> on_open();
  caf::result<session_info> on_get_session();
  template <class Message>
  caf::result<payload> on_request(Message message);
  caf::result<void> on_notification(const send_notification& message);
  caf::result<void> on_cancel(const cancel_request& message);
  caf::result<void> on_close();
  caf::result<void> on_watch();
  caf::result<void> on_progress(const progress& report);
  template <class Answer, class Handle, class Message>
  caf::result<Answer> ask_in_own_name(const Handle& whom, Message message);
  void on_actor_down(const caf::actor_addr& source);

  // nodes
  void connect(std::size_t which);
  void find_node(std::size_t which);
  void look_up_server(std::size_t which, const found_gateway& found);
  bool is_looking_up(std::size_t which, std::uint64_t number) const;
  void on_look_up_failed(std::size_t which, const caf::error& error);
  void repeat_look_up(std::size_t which);
  void become_ready(std::size_t which, mcp_server server);
  void lose_node(std::size_t which, const std::string& detail);
  /// Fails what was sent there, and gives the rest to other nodes.
  void lose(std::size_t which, const error_maker& error_for,
            const close_reason& reason);
  /// Returns the server on that node, or null.
  const mcp_server* server_of(std::size_t which) const;
  /// Sends `message` there, unless the node is lost.
  template <class Message>
  void tell_server(std::size_t which, Message message) {
    if (const auto* server = server_of(which))
      caf_version::tell(this, *server, std::move(message));
  }
  /// Returns the calls that this node has, or that wait for it.
  std::vector<std::uint64_t> calls_of(std::size_t which) const;

  // calls
  template <class Answer>
  caf::result<Answer> accept(pending_call added,
                             const caf::strong_actor_ptr& caller);
  void accept_all(std::uint64_t pipeline,
                  const std::vector<pipelined_request>& requests,
                  const caf::strong_actor_ptr& caller);
  void add(pending_call added, const caf::strong_actor_ptr& caller);
  /// Gives a call to the next node; fails it with `error` if none is left.
  void pass_to_next(std::uint64_t tag, caf::error error);
  void dispatch(std::uint64_t tag, std::size_t link);
  bool waits_for_connection(const pending_call& which) const;
  /// Returns a node that is connected, and was not given the call.
  std::optional<std::size_t> ready_node_for(const pending_call& which) const;
  void run_after(std::chrono::milliseconds pause, std::function<void()> what);
  template <class Answer>
  void on_answer(std::uint64_t tag, Answer& answer);
  void on_failure(std::uint64_t tag, caf::error error);
  void fail(std::uint64_t tag, caf::error error);
  void cancel_on_server(const pending_call& which, std::uint64_t tag,
                        const std::string& reason);

  // subscriptions
  caf::result<std::uint64_t> on_listen(listen message);
  caf::result<void> on_grant(const grant_events& message);
  caf::result<void> on_cancel_subscription(const cancel_subscription& message);
  void subscribe(std::uint64_t tag, const pending_call& asked,
                 std::uint64_t remote_id);
  /// Passes a report of a node on to the owner.
  template <class Report>
  void relay(Report report);
  void on_subscription_closed(subscription_closed& report);
  subscription_map::iterator find_subscription(std::uint64_t remote_id);
  template <class Message>
  void tell_owner(const remote_subscription& of, Message message);
  void end_subscriptions_of(std::size_t link, const caf::error& error);
  void forget_subscriptions_of(const caf::actor_addr& owner);

  // watchers
  void tell_watchers(const status_changed& status);
  status_changed status() const;
  void watch_actor(const caf::strong_actor_ptr& whom);

  std::shared_ptr<io_thread> io_ = io_thread::shared();
  std::vector<node_link> links_;
  node_rotation rotation_;
  std::uint64_t last_look_up_ = 0;
  std::string server_name_;
  bool is_closed_ = false;
  /// Starts where nobody can guess, lest another peer of the node, by forging
  /// the sender, cancels what is not its own.
  std::uint64_t last_tag_;
  std::map<std::uint64_t, pending_call> calls_;
  answer_streams answer_streams_;
  /// By the id that the owner knows: the tag of the call.
  subscription_map subscriptions_;
  caf::actor_addr owner_;
  std::vector<caf::actor_addr> watchers_;
  monitors monitors_;
};

} // namespace caf_mcp
