#pragma once

#include "caf_mcp/actors/connection/answer_outcome.hpp"
#include "caf_mcp/actors/connection/capability_gate.hpp"
#include "caf_mcp/actors/connection/outbox.hpp"
#include "caf_mcp/actors/connection/output_checks.hpp"
#include "caf_mcp/actors/connection/protocol_violations.hpp"
#include "caf_mcp/actors/connection/request_table.hpp"
#include "caf_mcp/actors/connection/response_cache.hpp"
#include "caf_mcp/actors/connection/server_requests/server_requests.hpp"
#include "caf_mcp/actors/handlers.hpp"
#include "caf_mcp/messages/close_reason.hpp"
#include "caf_mcp/messages/json_rpc.hpp"
#include "caf_mcp/messages/port.hpp"
#include "caf_mcp/messages/protocol_version.hpp"
#include "caf_mcp/messages/requests.hpp"
#include "caf_mcp/messages/server_options.hpp"

#include <caf/actor_addr.hpp>
#include <caf/error.hpp>
#include <caf/expected.hpp>
#include <caf/typed_response_promise.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

namespace caf_mcp {

/// All requests of a connection, from acceptance to their one completion: those
/// of callers, of the handshake and of the connection itself. Decides what is
/// written (into an `outbox`), completes requests, and returns what else its
/// owner is to do. Requests that were accepted before the server is ready are
/// written in the order in which they came.
class calls {
public:
  using clock = std::chrono::steady_clock;

  /// Tells the time; a plain function, for tests have a time of their own.
  using time_source = clock::time_point (*)();

  // -- what the owner is to do -----------------------------------------------

  /// Queue this input: its handler is called as soon as fewer than
  /// `max_server_requests` run. Report with `on_input`.
  using need_input = server_requests::input;

  /// Run this check of an answer, and call `attach_check`. Report with
  /// `on_checked`.
  using check_output = output_checks::check;

  /// Tell an actor, and report with `on_progress_taken` or
  /// `on_progress_refused`.
  struct tell_progress {
    caf::actor_addr whom;
    std::int64_t call = 0;
    progress report;
  };

  /// The request of a subscription is the next to be written; call
  /// `write_listen`.
  struct listen_turn {
    std::uint64_t subscription = 0;
  };

  /// A request of the connection itself is complete; `error` is set if it
  /// failed.
  struct own_over {
    request_purpose purpose = request_purpose::unattended;
    /// What the subscriptions know it by.
    std::uint64_t subscription = 0;
    payload params;
    caf::error error;
  };

  /// The server has answered `discover` or `initialize`.
  struct handshake_answered {
    request_purpose purpose = request_purpose::discover;
    answer_outcome outcome;
  };

  /// The server sent an error that names no request.
  struct foreign_error {
    rpc_error error;
  };

  /// The server broke the protocol; to be counted, and told now and then.
  using violation = server_requests::violation;

  /// Tell the log actor.
  struct remark {
    std::string what;
  };

  using action
    = std::variant<remark, need_input, check_output, tell_progress, listen_turn,
                   own_over, handshake_answered, foreign_error, violation>;

  /// To be carried out in their order.
  using actions = std::vector<action>;

  /// A server that is ready.
  struct server {
    era spoken = era::legacy;
    payload capabilities;
    capability_gate gate;
    /// What every request of the modern era carries.
    payload meta;
  };

  /// Uses `options` and `answers`, which must outlive it, and writes to `out`.
  calls(const server_options& options, const handlers& answers, outbox& out,
        time_source now = &clock::now);

  // -- what callers say ------------------------------------------------------

  /// Returns the owner that stands for an actor, and whether it is new.
  std::pair<request_owner*, bool> owner_of(const caf::strong_actor_ptr& caller);

  /// Accepts a request whose reply is set; `owner` may be null. Writes it if
  /// the server is ready.
  actions accept(pending_request&& request, request_owner* owner,
                 clock::time_point now);

  /// Cancels the requests of an actor that carry a tag.
  actions cancel(const caf::actor_addr& caller, const cancel_request& message);

  /// An actor is gone: cancels its requests.
  actions forget(const caf::actor_addr& caller);

  /// Writes a notification, or holds it until the server is ready. Answers
  /// `done` when it was written, or with why it is not.
  void notify(outgoing_notification message,
              caf::typed_response_promise<void> done);

  // -- requests of the connection itself -------------------------------------

  /// Writes a request of the handshake.
  void write_handshake(request_purpose purpose, std::string method,
                       payload params, payload meta);

  /// Accepts a request for a subscription, see `listen_turn`. Returns its id.
  std::int64_t hold_listen(std::uint64_t subscription, bool has_deadline);

  /// Writes the request of a subscription whose turn it is.
  void write_listen(std::int64_t id, payload params);

  /// The request of a subscription stays open.
  void lift_deadline(std::int64_t id);

  /// Takes a request out without completing it. The server is sent a
  /// cancellation if the request was sent to it and `reason` is given.
  void drop(std::int64_t id, std::optional<std::string_view> reason);

  /// Writes a request of the connection's own. Answered by `own_over`, with
  /// `subscription` and `params`.
  actions send_own(request_purpose purpose, std::uint64_t subscription,
                   std::string method, payload params);

  // -- what the server does --------------------------------------------------

  /// The server is ready: the handshake is over. To be followed by
  /// `write_next_held` for all that is held.
  void on_ready(server now_ready);

  /// Has requests carry this from now on.
  void use_meta(payload meta) {
    server_->meta = std::move(meta);
  }

  /// Returns what requests carry. Only while the server is ready.
  const payload& meta() const noexcept {
    return server_->meta;
  }

  /// Returns whether something that callers sent before the server was ready is
  /// still to be written.
  bool has_held() const noexcept {
    return !held_ids_.empty() || !held_notifications_.empty();
  }

  /// Writes the first of what callers sent before the server was ready.
  actions write_next_held();

  /// Writes a request that was held, unless it is complete.
  actions write_held(std::int64_t id);

  actions answer(incoming_response&& message);
  actions on_undecodable(const undecodable_message& message);
  actions on_progress(const payload& params);
  /// The server reports this, which may make results stale.
  void on_event(const server_event& event);

  /// The process is gone. Requests of which not a byte was written to it count
  /// as not sent. To be followed by `lose` or `end`.
  void on_port_closed(const port_closed& closed);

  /// The server will be started again. What it did not get waits for the next
  /// process, all other requests of callers fail; the connection's own are
  /// dropped.
  actions lose(const close_reason& reason);

  /// The server was lost for good, or is to be closed: all requests fail; the
  /// connection's own are dropped.
  actions end(const close_reason& reason);

  // -- what comes of actions -------------------------------------------------

  actions on_progress_taken(std::int64_t id);
  void on_progress_refused(std::int64_t id, const caf::error& error);

  /// Keeps the handler that answers an input until the call is complete.
  void attach_input(std::int64_t id, running_handler handler);
  actions on_input(std::int64_t id, const input_request& asked,
                   const caf::expected<payload>& outcome);

  /// Keeps the actor that runs a check until the check is not wanted any more.
  void attach_check(std::uint64_t number, running_handler runner) {
    checks_.attach(number, std::move(runner));
  }

  actions on_checked(std::uint64_t number, const output_check& checked);

  // -- time ------------------------------------------------------------------

  /// Fails what has run out of time, and goes on with what has paused.
  actions expire(clock::time_point now);

  /// Returns when to call `expire`; the end of time if no request waits.
  clock::time_point next_deadline() const;

  // -- what is known ---------------------------------------------------------

  bool contains(std::int64_t id) {
    return table_.find(id) != nullptr;
  }

  /// Returns how many requests are not complete.
  std::size_t size() const noexcept {
    return table_.size() + checks_.size();
  }

  /// Returns whether a caller waits for an answer, or for its notification to
  /// be written.
  bool has_callers() const;

private:
  actions take_actions() noexcept {
    return std::exchange(to_do_, {});
  }

  void dispatch(pending_request& request);
  void write(pending_request& request);
  void write(outgoing_notification message,
             caf::typed_response_promise<void>& done);
  void add_own(request_purpose purpose, std::uint64_t subscription,
               std::string method, payload params);
  void cancel_on_server(const pending_request& request,
                        std::string_view reason);
  void cancel_task(payload params);
  void remember_cancelled(const pending_request& request);
  void on_late_answer(const incoming_response& message);
  caf::error refusal_of(const outgoing_notification& message) const;
  void expire(pending_request& request);
  void go_on(pending_request& request);
  pending_request& put_back(pending_request&& request, request_stage stage,
                            clock::time_point deadline
                            = clock::time_point::max());
  void complete(pending_request& request, output_checks::outcome outcome);
  static void complete(reply& to, output_checks::outcome&& outcome);
  void answered(pending_request&& request, output_checks::outcome outcome);
  void follow(output_checks::step step);

  void on_outcome(pending_request&& request, answer_outcome&& outcome);
  void tell(const pending_request& request, progress news);
  void on_modern_result(pending_request&& request, payload&& result);
  void on_result(pending_request&& request, payload&& result);
  void on_task(pending_request&& request, const payload& result);
  void on_input_required(pending_request&& request, const payload& result);
  void deliver(pending_request&& request, payload&& result);
  void fail_answered(pending_request& request, caf::error error);
  void on_page(pending_request&& request, const payload& result);
  void on_stray(const incoming_response& message);
  void report(protocol_violation which, std::string what);

  /// A notification that waits for the server to be ready.
  struct held_notification {
    /// The last request that was accepted before it.
    std::int64_t after = 0;
    /// Its length as a line.
    std::size_t bytes = 0;
    outgoing_notification message;
    caf::typed_response_promise<void> done;
  };

  /// Cancelled calls of which it is known that they may still become a task.
  static constexpr std::size_t cancelled_max = 256;

  const server_options* options_;
  const handlers* handlers_;
  outbox* out_;
  time_source now_;

  request_table table_;
  std::unordered_map<caf::actor_addr, request_owner> owners_;
  /// Who asked last, and often asks next.
  request_owner* last_owner_ = nullptr;
  std::optional<server> server_;
  /// Requests that are to be written now, in the order of their arrival.
  std::deque<std::int64_t> held_ids_;
  std::deque<held_notification> held_notifications_;
  /// How long they are, as lines.
  std::size_t held_bytes_ = 0;
  /// The newest, oldest first.
  std::deque<std::int64_t> cancelled_;
  response_cache cache_;
  output_checks checks_;
  actions to_do_;
};

} // namespace caf_mcp
