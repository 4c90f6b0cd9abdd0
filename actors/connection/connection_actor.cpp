#include "caf_mcp/actors/connection/connection_actor.hpp"

#include "caf_mcp/actors/connection.hpp"
#include "caf_mcp/messages/config/validate_options.hpp"

#include <caf/actor_cast.hpp>

#include <algorithm>
#include <chrono>
#include <random>
#include <utility>

namespace caf_mcp {

namespace {

/// Longer drains are cut to this, so that no sum overflows.
constexpr std::chrono::hours drain_max{24 * 365};

caf::error validate(const send_request& message) {
  if (message.method.empty())
    return config_error("method", "must not be empty");
  if (message.params && message.params.if_object() == nullptr)
    return config_error("params", "must be an object or absent");
  return {};
}

/// A server may only expect an object in `_meta` (MCP, Basic, `_meta`).
payload without_null_meta(payload params) {
  const auto* object = params.if_object();
  const auto* meta = object ? object->if_contains("_meta") : nullptr;
  if (meta == nullptr || !meta->is_null())
    return params;
  std::vector<payload_member> members;
  for (const auto& [key, value] : *object)
    if (key != "_meta")
      members.push_back({key, params.part(&value)});
  return compose_object(members);
}

pending_request pending(send_request&& message) {
  pending_request result;
  result.method = std::move(message.method);
  result.params = without_null_meta(std::move(message.params));
  result.options = message.options;
  return result;
}

} // namespace

caf::expected<connection> spawn_connection(runtime& host,
                                           server_options options,
                                           log_listener logs,
                                           handlers answers) {
  if (auto error = validate(options))
    return error;
  return spawn_connection_actor(
    host, std::make_shared<const server_options>(std::move(options)),
    std::move(logs), std::move(answers));
}

connection spawn_connection_actor(runtime& host,
                                  std::shared_ptr<const server_options> options,
                                  log_listener logs, handlers answers,
                                  connection_surroundings around) {
  return connection{spawn_pinned<connection_actor>(
    host.system(), host.next_loop(), std::move(options), std::move(logs),
    std::move(answers), std::move(around))};
}

connection_actor::connection_actor(
  caf::actor_config& cfg, std::shared_ptr<io_loop> loop,
  std::shared_ptr<const server_options> options, log_listener logs,
  handlers answers, connection_surroundings around)
  : pinned_actor{cfg, std::move(loop)},
    options_{std::move(options)},
    logs_{std::move(logs)},
    handlers_{std::move(answers)},
    spawn_port_{std::move(around.ports)},
    lifecycle_{options_, std::random_device{}(), around.backoff_min},
    calls_{*options_, handlers_, out_},
    server_requests_{handlers_, options_->max_server_requests},
    timer_{this->loop().context()} {
  // nop
}

connection_actor::behavior_type connection_actor::make_behavior() {
  caf_version::set_exit_handler(
    this, [this](const caf::actor_addr& source, const caf::error& reason) {
      on_actor_exit(source, reason);
    });
  caf_version::set_down_handler(
    this, [this](const caf::actor_addr& source, const caf::error&) {
      on_actor_down(source);
    });
  // CAF looks through them in this order: the most frequent come first.
  return {
    [this](port_received& message) { on_port_received(message); },
    [this](send_request& message) { return on_request(message); },
    [this](await_answers& message) {
      return await_answers_of(this, answer_streams_, message,
                              &connection_actor::accept_all);
    },
    [this](send_pipelined& message) {
      return take_pipelined(this, message, &connection_actor::accept_all);
    },
    [this](deadline_passed) { on_deadline_passed(); },
    [this](const send_notification& message) {
      return on_notification(message);
    },
    [this](const cancel_request& message) {
      carry_out(calls_.cancel(
        caf::actor_cast<caf::actor_addr>(current_sender()), message));
    },
    [this](const grant_events& message) {
      carry_out(subscriptions_.grant(message.id, message.count));
    },
    [this](open_connection) { return on_open(); },
    [this](get_session) { return lifecycle_.info(calls_.size()); },
    [this](const list_all& message) { return on_list_all(message); },
    [this](const close_connection& message) { return on_close(message); },
    [this](watch_status) { return on_watch(); },
    [this](const listen& message) { return on_listen(message); },
    [this](const cancel_subscription& message) {
      carry_out(subscriptions_.cancel(message.id));
    },
    [this](const port_opened& message) {
      if (message.generation == lifecycle_.generation())
        carry_out(lifecycle_.on_port_opened(message.pid, clock::now()));
    },
    [this](const port_closed& message) { on_port_closed(message); },
  };
}

void connection_actor::on_exit() {
  close_reason reason;
  reason.cause = close_cause::internal_error;
  carry_out(lifecycle_.end(reason)); // does nothing unless it was killed
  answer_streams_.flush();
  ports_leaving_ = 0; // nobody is there to hear of them
  leave_loop_if_alone();
  pinned_actor::on_exit();
}

// -- messages -----------------------------------------------------------------

caf::result<session_info> connection_actor::on_open() {
  if (const auto* reason = lifecycle_.refusal())
    return to_error(*reason);
  if (const auto& opener = current_sender(); !owner_ && opener) {
    owner_ = caf::actor_cast<caf::actor_addr>(opener);
    watch_actor(opener);
  }
  if (lifecycle_.is_ready())
    return lifecycle_.info(calls_.size());
  auto promise = make_response_promise<session_info>();
  open_promises_.push_back(promise);
  carry_out(lifecycle_.start_if_idle());
  return promise;
}

caf::result<void> connection_actor::on_close(const close_connection& message) {
  auto promise = make_response_promise<void>();
  close_promises_.push_back(promise);
  if (lifecycle_.has_server() && message.drain.count() > 0) {
    carry_out(subscriptions_.on_end(to_error(close_reason{})));
    if (calls_.has_callers()) {
      lifecycle_.drain_until(
        clock::now() + std::min<clock::duration>(message.drain, drain_max));
      arm_timer();
      return promise;
    }
  }
  carry_out(lifecycle_.end(close_reason{}));
  leave_loop_if_alone();
  return promise;
}

caf::result<void> connection_actor::on_watch() {
  const auto& watcher = current_sender();
  if (!watcher)
    return caf::unit;
  auto address = caf::actor_cast<caf::actor_addr>(watcher);
  if (std::find(watchers_.begin(), watchers_.end(), address) == watchers_.end())
    watchers_.push_back(address);
  watch_actor(watcher);
  status_changed now;
  now.state = lifecycle_.state();
  if (const auto* reason = lifecycle_.end_reason())
    now.reason = *reason;
  caf_version::tell(this, caf::actor_cast<status_listener>(watcher),
                    std::move(now));
  return caf::unit;
}

void connection_actor::on_port_closed(const port_closed& message) {
  if (message.generation != lifecycle_.generation() || lifecycle_.is_closed())
    return;
  release_port();
  auto next = lifecycle_.on_port_closed(message.reason, clock::now());
  if (!std::holds_alternative<lifecycle::restart_process>(next))
    calls_.on_port_closed(message);
  carry_out(std::move(next));
}

void connection_actor::on_deadline_passed() {
  armed_for_ = clock::time_point::max();
  const auto now = clock::now();
  carry_out(lifecycle_.on_deadline(now));
  carry_out(calls_.expire(now));
}

void connection_actor::on_actor_exit(const caf::actor_addr& source,
                                     const caf::error& reason) {
  if (std::erase(children_, source) > 0) {
    const auto is_current = port_ && source == port_.address();
    if (reason && is_current) {
      port_closed lost;
      lost.generation = lifecycle_.generation();
      lost.messages_taken = out_.written(); // perhaps all: nobody knows
      lost.reason.cause = close_cause::internal_error;
      lost.reason.detail = "the port owner died: " + caf::to_string(reason);
      on_port_closed(lost);
    }
    return;
  }
  if (!reason)
    return;
  close_reason why;
  why.cause = close_cause::runtime_shutdown;
  carry_out(lifecycle_.end(std::move(why)));
  quit(reason);
}

void connection_actor::on_actor_down(const caf::actor_addr& source) {
  monitors_.forget(source);
  std::erase(watchers_, source);
  carry_out(calls_.forget(source));
  answer_streams_.forget(source);
  carry_out(subscriptions_.cancel_all_of(source));
  if (owner_ == source) {
    close_reason reason;
    reason.cause = close_cause::owner_down;
    carry_out(lifecycle_.end(std::move(reason)));
  }
}

// -- requests -----------------------------------------------------------------

caf::result<payload> connection_actor::on_request(send_request& message) {
  if (auto error = validate(message))
    return error;
  return accept(pending(std::move(message)));
}

caf::result<payload> connection_actor::on_list_all(const list_all& message) {
  if (message.pages_max == 0)
    return config_error("pages_max", "0 is not allowed; at least 1");
  pending_request added;
  added.purpose = request_purpose::page;
  added.method = list_method(message.kind);
  added.options = message.options;
  added.pages = std::make_unique<listing>(message.kind, message.pages_max);
  return accept(std::move(added));
}

caf::result<payload> connection_actor::accept(pending_request&& request) {
  // Before the promise is made, which clears the sender.
  auto* owner = owner_of(current_sender());
  auto promise = make_response_promise<payload>();
  request.reply = reply{promise};
  accept(std::move(request), owner, clock::now());
  return promise;
}

void connection_actor::accept(pending_request&& request, request_owner* owner,
                              clock::time_point now) {
  if (const auto* reason = lifecycle_.refusal()) {
    request.reply.deliver(lost_error(*reason, "not_sent"));
    return;
  }
  if (lifecycle_.is_idle())
    carry_out(lifecycle_.start_if_idle());
  carry_out(calls_.accept(std::move(request), owner, now));
}

void connection_actor::accept_all(std::uint64_t pipeline,
                                  std::vector<pipelined_request>& requests,
                                  const caf::strong_actor_ptr& caller) {
  auto& stream
    = answer_streams_.get(caf::actor_cast<caf::actor_addr>(caller), pipeline);
  auto* owner = owner_of(caller);
  const auto now = clock::now();
  for (auto& each : requests) {
    reply to{stream, each.slot};
    if (auto error = validate(each.request)) {
      to.deliver(std::move(error));
      continue;
    }
    auto added = pending(std::move(each.request));
    added.reply = std::move(to);
    accept(std::move(added), owner, now);
  }
  flush_output();
}

request_owner* connection_actor::owner_of(const caf::strong_actor_ptr& caller) {
  if (!caller || lifecycle_.refusal() != nullptr)
    return nullptr;
  const auto [owner, is_new] = calls_.owner_of(caller.get());
  if (is_new)
    watch_actor(caller);
  return owner;
}

caf::result<void>
connection_actor::on_notification(const send_notification& message) {
  if (message.method.empty())
    return config_error("method", "must not be empty");
  if (const auto* reason = lifecycle_.refusal())
    return to_error(*reason);
  auto promise = make_response_promise<void>();
  calls_.notify({message.method, without_null_meta(message.params)}, promise);
  carry_out(lifecycle_.start_if_idle());
  return promise;
}

caf::result<std::uint64_t> connection_actor::on_listen(const listen& message) {
  auto owner = message.owner ? message.owner : current_sender();
  if (auto error = subscriptions::check(message))
    return error;
  if (!owner)
    return config_error("owner", "must be set, for the sender is no actor");
  if (const auto* reason = lifecycle_.refusal())
    return to_error(*reason);
  carry_out(lifecycle_.start_if_idle());
  auto [id, to_do] = subscriptions_.add(caf::actor_cast<caf::actor_addr>(owner),
                                        message.filter, message.options);
  watch_actor(owner);
  // The caller gets the id before the first message that carries it.
  auto promise = make_response_promise<std::uint64_t>();
  promise.deliver(id);
  carry_out(std::move(to_do));
  return promise;
}

void connection_actor::after_messages() {
  if (lifecycle_.is_draining())
    carry_out(lifecycle_.close_if_drained(calls_.has_callers(), clock::now()));
  arm_timer();
  flush_output();
  answer_streams_.flush();
}

void connection_actor::flush_output() {
  if (out_.empty())
    return;
  port_write message{out_.take()};
  if (port_)
    caf_version::tell(this, port_, std::move(message));
}

void connection_actor::tell_watchers(const std::optional<close_reason>& reason,
                                     caf::timespan backoff) {
  for (const auto& watcher : watchers_)
    if (auto strong = caf::actor_cast<caf::strong_actor_ptr>(watcher))
      caf_version::tell(this, caf::actor_cast<status_listener>(strong),
                        status_changed{lifecycle_.state(), reason, backoff});
}

// -- the end ------------------------------------------------------------------

/// Has the port owner stop its process, and counts it as leaving until it
/// answers, or dies.
void connection_actor::release_port() {
  if (!port_)
    return;
  flush_output();
  ++ports_leaving_;
  auto is_gone = [this] {
    --ports_leaving_;
    leave_loop_if_alone();
  };
  caf_version::ask(*this, std::exchange(port_, nullptr), caf::infinite,
                   port_stop{})
    .then(is_gone, [is_gone](const caf::error&) { is_gone(); });
}

/// Once the connection is closed and its process gone, the loop does not keep
/// the actor alive; it ends when the last handle to it is gone.
void connection_actor::leave_loop_if_alone() {
  if (ports_leaving_ > 0 || !lifecycle_.is_closed())
    return;
  timer_.reset();
  for (auto& promise : std::exchange(close_promises_, {}))
    promise.deliver();
  monitors_.release_all(this);
  watchers_.clear();
  logs_ = nullptr;
  loop().unpin(id());
}

// -- timer and monitors -------------------------------------------------------

void connection_actor::arm_timer() {
  if (!timer_)
    return;
  const auto earliest
    = std::min(calls_.next_deadline(), lifecycle_.next_deadline());
  if (earliest >= armed_for_)
    return;
  armed_for_ = earliest;
  timer_->expires_at(earliest);
  timer_->async_wait([this, hold = caf::strong_actor_ptr{ctrl()}](
                       const boost::system::error_code& error) {
    if (!error)
      caf_version::tell(this, connection_and_port_listener{this},
                        deadline_passed{});
  });
}

void connection_actor::watch_actor(const caf::strong_actor_ptr& whom) {
  monitors_.add(this, whom, [this](const caf::actor_addr& source) {
    on_actor_down(source);
  });
}

} // namespace caf_mcp
