#pragma once

#include "caf_mcp/actors/handlers.hpp"
#include "caf_mcp/actors/interfaces.hpp"
#include "caf_mcp/actors/io/pinned_actor.hpp"
#include "caf_mcp/actors/state/answer_streams.hpp"
#include "caf_mcp/actors/state/capability_gate.hpp"
#include "caf_mcp/actors/state/handshake.hpp"
#include "caf_mcp/actors/state/oddities.hpp"
#include "caf_mcp/actors/state/reconnect_policy.hpp"
#include "caf_mcp/actors/state/request_table.hpp"
#include "caf_mcp/actors/state/response_cache.hpp"
#include "caf_mcp/actors/state/server_requests.hpp"
#include "caf_mcp/actors/state/subscription.hpp"
#include "caf_mcp/actors/state/uri_refs.hpp"
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
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

namespace caf_mcp {

/// The actor behind `connection`.
///
/// Links: its port owner, the handlers of the server's requests. Monitors: its
/// owner, every actor that has requests or watches, each once. Invariants:
/// every accepted request is completed exactly once; nothing but `ping` and the
/// handshake is sent before the connection is ready; a message of an old port
/// owner changes nothing.
class connection_actor final
  : public pinned_actor<connection_and_port_listener::base> {
public:
  connection_actor(caf::actor_config& cfg, std::shared_ptr<io_loop> loop,
                   std::shared_ptr<const server_options> options,
                   log_listener logs, handlers answers);

  const char* name() const override {
    return "caf_mcp.connection";
  }

  void on_exit() override;

protected:
  behavior_type make_behavior() override;

  void after_messages() override;

private:
  using clock = std::chrono::steady_clock;

  // -- the states -------------------------------------------------------------

  struct idle {};

  /// A process was started; the handshake is under way.
  struct connecting {
    clock::time_point deadline;
    clock::time_point probe_deadline;
    /// Set when the handshake has failed and the port owner is to report what
    /// it saw.
    std::optional<close_reason> failure;
  };

  struct ready {
    caf_mcp::session session;
    capability_gate gate;
    /// What every request of the modern era carries.
    payload meta;
  };

  /// The server was lost.
  struct waiting {
    clock::time_point start_at;
  };

  struct closed {
    close_reason reason;
  };

  using phase = std::variant<idle, connecting, ready, waiting, closed>;

  /// A notification that waits for the connection to be ready.
  struct held_notification {
    send_notification message;
    caf::typed_response_promise<void> promise;
  };

  // -- lifecycle (connection.cpp) ---------------------------------------------

  caf::result<session_info> on_open();
  caf::result<void> on_close(const close_connection& message);
  caf::result<void> on_watch();
  void on_port_opened(const port_opened& message);
  void on_port_closed(const port_closed& message);
  void on_deadline_passed();
  void on_actor_exit(const caf::actor_addr& source, const caf::error& reason);
  void on_actor_down(const caf::actor_addr& source);

  session_info info() const;
  connection_state state() const noexcept;
  void set_phase(phase next,
                 const std::optional<close_reason>& reason = std::nullopt,
                 caf::timespan backoff = caf::timespan{0});

  void start_server();
  void take_step(handshake::step step);
  void send_handshake_request(request_purpose purpose, std::string method,
                              payload params, payload meta);
  void become_ready(session agreed);
  void fail_handshake(close_reason reason);
  void lose_server(const close_reason& reason, const port_closed& last_words);
  void end(const close_reason& reason);
  void retire_port();
  void rest_if_alone();
  void rest();
  bool has_callers();
  void end_if_drained();
  void arm_timer();
  void watch_actor(const caf::strong_actor_ptr& whom);

  // -- requests (connection_requests.cpp) -------------------------------------

  caf::result<payload> on_request(send_request& message);
  caf::result<payload> on_list_all(const list_all& message);
  caf::result<void> on_notification(const send_notification& message);
  caf::result<void> on_cancel(const cancel_request& message);
  caf::result<void> on_send_pipelined(send_pipelined& message);
  caf::result<pipelined_answers> on_await_answers(await_answers& message);

  /// Accepts requests of a pipeline.
  void accept(std::uint64_t pipeline, std::vector<pipelined_request>& requests,
              const caf::strong_actor_ptr& caller);
  /// Accepts a request of the current sender.
  caf::result<payload> accept(pending_request request);
  /// Accepts a request whose reply is set; `owner` may be null. To be followed
  /// by `arm_timer`.
  void accept(pending_request&& request, request_owner* owner,
              clock::time_point now);
  void dispatch(pending_request& request);
  /// Writes a message after all those before it. Returns its place among them
  /// from 1 on.
  template <class Message>
  std::uint64_t write(Message message) {
    outgoing_.emplace_back(std::move(message));
    return ++messages_written_;
  }

  /// Hands what was written to the port owner, in one message.
  void flush_output();
  void cancel_on_server(const pending_request& request,
                        const std::string& reason);
  void expire(std::int64_t id);
  void forget_requests_of(request_owner& owner);
  void fail(pending_request& request, caf::error error);
  request_owner* owner_of(const caf::strong_actor_ptr& caller);

  // -- what the server sends (connection_inbound.cpp) -------------------------

  void on_port_received(port_received& message);
  void on_incoming(incoming_response&& message);
  void on_incoming(const incoming_request& message);
  void on_incoming(const incoming_notification& message);
  void on_incoming(const undecodable_message& message);
  void on_incoming(incoming_batch&& message);
  void on_handshake_response(const pending_request& request,
                             incoming_response&& message);
  void on_unattributable(const incoming_response& message);
  void complete(pending_request&& request, incoming_response&& message);
  void deliver_result(pending_request&& request, payload result);
  void complete_page(pending_request request, const payload& result);

  // -- progress (connection_progress.cpp) -------------------------------------

  void on_progress(const payload& params);
  void tell_progress(const pending_request& request, progress report);
  void on_progress_taken(std::int64_t id);
  void on_progress_refused(std::int64_t id, const caf::error& error);

  // -- requests of the server (connection_server_requests.cpp) ----------------

  using handler_outcome = caf::expected<payload>;

  void on_server_request_done(std::uint64_t number,
                              const handler_outcome& outcome);
  void on_server_cancelled(const payload& params);

  /// Has a handler answer; calls `done` with what comes of it.
  running_handler run_handler(const handler& how, server_request request,
                              const std::function<void(handler_outcome)>& done);

  // -- input that the server requires (connection_input_rounds.cpp) -----------

  void on_input_required(pending_request request, const payload& result);
  void on_input(std::int64_t id, const input_request& asked,
                const handler_outcome& outcome);
  bool send_again_after_pause(std::int64_t id);
  void send_again(pending_request& request);

  // -- subscriptions (connection_subscriptions.cpp) ---------------------------

  caf::result<std::uint64_t> on_listen(const listen& message);
  caf::result<void> on_grant(const grant_events& message);
  caf::result<void> on_cancel_subscription(const cancel_subscription& message);

  /// Has the current process, or the next, asked to take part.
  void request_listen(subscription& which);
  /// Asks the current process. Takes `request` out of the table if it is not
  /// needed in this era.
  void dispatch_listen(pending_request& request);
  void subscribe_uris(subscription& which, const listen_filter& wanted);
  void accept_if_answered(subscription& which);
  void accept(subscription& which, listen_filter granted);
  /// Sends a request of the connection's own in the legacy era.
  std::int64_t send_own_request(request_purpose purpose, std::string method,
                                boost::json::object params);

  /// Handles the answer to a request that is no caller's.
  void on_own_result(const pending_request& request);
  void on_own_failure(const pending_request& request, const caf::error& error);
  void on_uri_answer(const pending_request& request, const caf::error& error);
  /// Handles a notification that is for those who listen.
  void on_report(const incoming_notification& message);
  void on_acknowledged(const payload& params);
  void on_withdrawn(const payload& params);
  /// Returns the subscription whose open request has the id `value`.
  subscription* find_by_request(const boost::json::value& value);
  void push(subscription& which, server_event event);
  void deliver_events(subscription& which);

  /// Makes the server log what those who listen want.
  void refresh_log_level();
  void suspend_subscriptions(const close_reason& reason);
  void end_subscriptions(const caf::error& error);
  void forget_subscriptions_of(const caf::actor_addr& owner);
  void close_subscription(std::uint64_t id, subscription_end how,
                          const caf::error& error = {});
  template <class Message>
  void tell_owner(const subscription& of, Message message);
  // -- calls that became a task (connection_tasks.cpp) ------------------------

  static bool is_about_task(const pending_request& request,
                            const payload& result);
  void on_task(pending_request request, const payload& result);
  void pause_task(pending_request request, std::chrono::milliseconds time);
  bool ask_for_task_after_pause(std::int64_t id);
  void cancel_task(const pending_request& request);

  // -- what tools answer (connection_output.cpp) ------------------------------

  void remember_output_schemas(const pending_request& request,
                               const payload& result);
  /// Delivers the result of a caller's request, once it is checked.
  void finish(pending_request&& request, payload result);
  void on_output_checked(std::int64_t id, payload result,
                         const handler_outcome& outcome);
  /// Tells the log actor.
  void remark(std::string what);
  /// Counts what is odd, and tells the log actor now and then.
  void note_oddity(oddity which, const std::string& what);

  // ---------------------------------------------------------------------------

  std::shared_ptr<const server_options> options_;
  log_listener logs_;
  handlers handlers_;

  phase phase_;
  /// Set when the connection closes as soon as its requests are answered.
  std::optional<clock::time_point> drain_deadline_;
  handshake handshake_;
  reconnect_policy reconnects_;
  bool was_ready_ = false;

  port port_;
  /// Port owners of lost or closed processes that still make them leave.
  std::size_t ports_leaving_ = 0;
  /// All port owners and handlers that have not ended.
  std::vector<caf::actor_addr> children_;
  std::uint64_t generation_ = 0;
  std::int64_t pid_ = 0;
  /// What is written in this turn, see `after_messages`.
  std::vector<outgoing_message> outgoing_;
  /// How many messages were written for the current port owner.
  std::uint64_t messages_written_ = 0;

  request_table requests_;
  answer_streams answer_streams_;
  server_requests server_requests_;
  response_cache cache_;
  std::map<std::uint64_t, subscription> subscriptions_;
  uri_refs uris_;
  /// The log level that the current process of the legacy era was asked for.
  std::optional<log_level> asked_log_level_;

  std::vector<held_notification> held_notifications_;
  std::vector<caf::typed_response_promise<session_info>> open_promises_;
  std::vector<caf::typed_response_promise<void>> close_promises_;

  caf::actor_addr owner_;
  std::unordered_map<caf::actor_addr, request_owner> request_owners_;
  std::vector<caf::actor_addr> watchers_;
  std::unordered_map<caf::actor_addr, caf_version::monitor> monitors_;

  std::optional<boost::asio::steady_timer> timer_;
  clock::time_point armed_for_ = clock::time_point::max();

  /// By the name of the tool.
  std::unordered_map<std::string, payload> output_schemas_;
  oddities oddities_;
};

/// Returns whether the request is one of those that make a connection ready.
constexpr bool is_handshake(request_purpose purpose) noexcept {
  return purpose == request_purpose::discover
         || purpose == request_purpose::initialize;
}

/// Returns whether a server of this era may be sent `message` (MCP 2026-07-28,
/// Roots: their changes are not told).
bool is_allowed(const send_notification& message, era spoken) noexcept;

/// Returns the error of a pipeline without a sender.
caf::error nobody_waits();

/// Returns the error of a request that a lost connection leaves without answer.
/// `outcome` is `"unknown"` if the server may have seen it, else `"not_sent"`.
caf::error lost_error(const close_reason& reason, std::string_view outcome);

} // namespace caf_mcp
