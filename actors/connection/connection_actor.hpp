#pragma once

#include "caf_mcp/actors/connection/answer_streams.hpp"
#include "caf_mcp/actors/connection/call_errors.hpp"
#include "caf_mcp/actors/connection/calls.hpp"
#include "caf_mcp/actors/connection/lifecycle.hpp"
#include "caf_mcp/actors/connection/outbox.hpp"
#include "caf_mcp/actors/connection/protocol_violations.hpp"
#include "caf_mcp/actors/connection/reconnect_policy.hpp"
#include "caf_mcp/actors/connection/server_requests/server_requests.hpp"
#include "caf_mcp/actors/connection/subscriptions/subscriptions.hpp"
#include "caf_mcp/actors/handlers.hpp"
#include "caf_mcp/actors/interfaces.hpp"
#include "caf_mcp/actors/loop/monitors.hpp"
#include "caf_mcp/actors/loop/pinned_actor.hpp"
#include "caf_mcp/actors/port/interfaces.hpp"
#include "caf_mcp/actors/port/port_owner.hpp"
#include "caf_mcp/actors/runtime.hpp"
#include "caf_mcp/messages/server_options.hpp"

#include <boost/asio/steady_timer.hpp>
#include <caf/actor_addr.hpp>
#include <caf/result.hpp>
#include <caf/typed_event_based_actor.hpp>
#include <caf/typed_response_promise.hpp>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace caf_mcp {

/// All that the connection actor understands.
using connection_and_port_listener
  = connection::extend<caf::result<void>(port_opened),
                       caf::result<void>(port_received),
                       caf::result<void>(port_closed),
                       // Its own: the earliest deadline has passed.
                       caf::result<void>(deadline_passed)>;

/// How a connection spawns the port of each process; it must link the port to
/// its listener, as `spawn_port_owner` does.
using port_factory = std::function<port(caf::actor_system& system,
                                        const std::shared_ptr<io_loop>& loop,
                                        port_config config)>;

/// What tests replace: they play the server without a process, and wait for
/// nothing.
struct connection_surroundings {
  port_factory ports = spawn_port_owner;
  std::chrono::milliseconds backoff_min = reconnect_policy::backoff_min;
};

/// Spawns a connection with options that are valid.
connection spawn_connection_actor(runtime& host,
                                  std::shared_ptr<const server_options> options,
                                  log_listener logs, handlers answers,
                                  connection_surroundings around = {});

/// The actor behind `connection`.
///
/// Links: its port owner, the handlers of the server's requests. Monitors: its
/// owner, every actor that has requests or watches, each once. What is decided,
/// is decided by `lifecycle`, `calls`, `subscriptions` and `server_requests`;
/// the actor hands them what comes and does what they return. Invariants:
/// every accepted request is completed exactly once; nothing is sent before
/// the connection is ready but the handshake and answers to requests of the
/// server, of which all but `ping` are refused; a message of an old port
/// owner changes nothing.
class connection_actor final
  : public pinned_actor<connection_and_port_listener::base> {
public:
  connection_actor(caf::actor_config& cfg, std::shared_ptr<io_loop> loop,
                   std::shared_ptr<const server_options> options,
                   log_listener logs, handlers answers,
                   connection_surroundings around = {});

  const char* name() const override {
    return "caf_mcp.connection";
  }

  void on_exit() override;

protected:
  behavior_type make_behavior() override;

  void after_messages() override;

private:
  using clock = std::chrono::steady_clock;

  // -- callers, port owners and other actors (connection_actor.cpp) -----------

  caf::result<session_info> on_open();
  caf::result<void> on_close(const close_connection& message);
  caf::result<void> on_watch();
  caf::result<payload> on_request(send_request& message);
  caf::result<payload> on_list_all(const list_all& message);
  caf::result<void> on_notification(const send_notification& message);
  caf::result<std::uint64_t> on_listen(const listen& message);
  void on_port_closed(const port_closed& message);
  void on_deadline_passed();
  void on_actor_exit(const caf::actor_addr& source, const caf::error& reason);
  void on_actor_down(const caf::actor_addr& source);

  /// Accepts a request of the current sender.
  caf::result<payload> accept(pending_request&& request);
  /// Accepts a request whose reply is set; `owner` may be null.
  void accept(pending_request&& request, request_owner* owner,
              clock::time_point now);
  /// Accepts the requests of a message of a pipeline.
  void accept_all(std::uint64_t pipeline,
                  std::vector<pipelined_request>& requests,
                  const caf::strong_actor_ptr& caller);
  request_owner* owner_of(const caf::strong_actor_ptr& caller);

  /// Tells all watchers of the state, which has changed.
  void tell_watchers(const std::optional<close_reason>& reason = std::nullopt,
                     caf::timespan backoff = caf::timespan{0});
  /// Hands what was written to the port owner, in one message.
  void flush_output();
  void release_port();
  void leave_loop_if_alone();
  void arm_timer();
  void watch_actor(const caf::strong_actor_ptr& whom);

  // -- the server, and what is to be done (connection_actions.cpp) ------------

  /// Takes the messages of the server.
  struct receiver;
  /// Does what was decided: one function an action.
  struct performer;

  void on_port_received(port_received& message);
  void carry_out(lifecycle::step next);
  void carry_out(calls::actions to_do);
  void carry_out(subscriptions::actions to_do);

  // ---------------------------------------------------------------------------

  std::shared_ptr<const server_options> options_;
  log_listener logs_;
  handlers handlers_;
  port_factory spawn_port_;

  lifecycle lifecycle_;

  port port_;
  /// How many port owners are still stopping a process that was released.
  std::size_t ports_leaving_ = 0;
  /// All port owners and handlers that have not ended.
  std::vector<caf::actor_addr> children_;
  /// What is written in this turn, see `after_messages`.
  outbox out_;

  calls calls_;
  answer_streams answer_streams_;
  server_requests server_requests_;
  subscriptions subscriptions_;

  std::vector<caf::typed_response_promise<session_info>> open_promises_;
  std::vector<caf::typed_response_promise<void>> close_promises_;

  caf::actor_addr owner_;
  std::vector<caf::actor_addr> watchers_;
  monitors monitors_;

  std::optional<boost::asio::steady_timer> timer_;
  clock::time_point armed_for_ = clock::time_point::max();

  protocol_violations violations_;
};

} // namespace caf_mcp
