#pragma once

#include "caf_mcp/actors/hub/node.hpp"
#include "caf_mcp/actors/state/answer_streams.hpp"
#include "caf_mcp/actors/state/reply.hpp"

#include <caf/actor_addr.hpp>
#include <caf/result.hpp>
#include <caf/typed_event_based_actor.hpp>
#include <caf/typed_response_promise.hpp>

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <variant>
#include <vector>

namespace caf_mcp {

/// All that the stand-in for a server of another node understands.
using connection_and_progress = connection::extend<caf::result<void>(progress)>;

/// The actor behind `spawn_remote_server`.
///
/// To the other node it is the one caller: it gives each request a tag of its
/// own, by which it finds who is to hear of progress, and by which it cancels.
/// It keeps the promises, because CAF does not fail the requests that a lost
/// node has taken.
///
/// Links: nobody. Monitors: the server on the other node, its owner, every
/// actor that has requests or watches, each once. Ends when it is closed or its
/// owner dies: CAF keeps an actor alive that other nodes have heard of.
/// Invariant: every accepted request is completed exactly once.
class remote_server_actor final : public connection_and_progress::base {
public:
  remote_server_actor(caf::actor_config& cfg, node_address where,
                      std::string server_name);

  const char* name() const override {
    return "caf_mcp.remote_server";
  }

  void on_exit() override;

protected:
  behavior_type make_behavior() override;

private:
  struct idle {};

  struct connecting {};

  struct ready {
    mcp_server server;
  };

  struct closed {};

  using call = std::variant<send_request, list_all>;

  /// From acceptance to completion.
  struct pending_call {
    caf::actor_addr caller;
    std::uint64_t tag = 0;
    call message;
    bool is_sent = false;
    caf_mcp::reply reply;
  };

  caf::result<session_info> on_open();
  caf::result<session_info> on_get_session();
  caf::result<payload> on_call(call message);
  caf::result<void> on_send_pipelined(const send_pipelined& message);
  caf::result<pipelined_answers> on_await_answers(const await_answers& message);
  void accept(call message, const caf::strong_actor_ptr& caller, reply to);
  caf::result<void> on_notification(const send_notification& message);
  caf::result<void> on_cancel(const cancel_request& message);
  caf::result<void> on_close();
  caf::result<void> on_watch();
  caf::result<void> on_progress(const progress& report);
  void on_actor_down(const caf::actor_addr& source);

  void connect();
  void look_up_server(const gateway& node);
  void become_ready(mcp_server server);
  /// Completes all that runs; the next request connects again.
  void lose(const std::function<caf::error(std::string_view)>& error_for,
            const close_reason& reason);
  void lose_node(const std::string& detail);
  void dispatch(std::uint64_t tag);
  void complete(std::uint64_t tag, caf::expected<payload> outcome);
  void cancel_on_server(std::uint64_t tag, const std::string& reason);
  void tell_watchers(const status_changed& status);
  status_changed status() const;
  void watch_actor(const caf::strong_actor_ptr& whom);

  node_address where_;
  std::string server_name_;
  std::variant<idle, connecting, ready, closed> phase_;
  std::uint64_t last_tag_ = 0;
  std::map<std::uint64_t, pending_call> calls_;
  answer_streams answer_streams_;
  std::vector<caf::typed_response_promise<session_info>> open_promises_;
  caf::actor_addr owner_;
  std::vector<caf::actor_addr> watchers_;
  std::unordered_map<caf::actor_addr, caf_version::monitor> monitors_;
};

} // namespace caf_mcp
