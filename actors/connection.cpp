#include "caf_mcp/actors/connection.hpp"

#include "caf_mcp/actors/connection_actor.hpp"
#include "caf_mcp/actors/port_owner.hpp"
#include "caf_mcp/messages/validate_options.hpp"

#include <caf/actor_cast.hpp>

#include <algorithm>
#include <random>
#include <utility>

namespace caf_mcp {

namespace {

caf::error closed_error(const close_reason& reason) {
  return to_error(reason);
}

} // namespace

caf::expected<connection> spawn_connection(runtime& host,
                                           server_options options,
                                           log_listener logs,
                                           handlers answers) {
  if (auto error = validate(options))
    return error;
  auto shared = std::make_shared<const server_options>(std::move(options));
  return connection{spawn_pinned<connection_actor>(
    host.system(), host.next_loop(), std::move(shared), std::move(logs),
    std::move(answers))};
}

connection_actor::connection_actor(
  caf::actor_config& cfg, std::shared_ptr<io_loop> loop,
  std::shared_ptr<const server_options> options, log_listener logs,
  handlers answers)
  : pinned_actor{cfg, std::move(loop)},
    options_{std::move(options)},
    logs_{std::move(logs)},
    handlers_{std::move(answers)},
    handshake_{options_},
    reconnects_{options_->max_reconnects, std::random_device{}()},
    server_requests_{options_->max_server_requests},
    cache_{options_->max_cached_responses},
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
  return {
    [this](open_connection) { return on_open(); },
    [this](get_session) { return info(); },
    [this](send_request& message) { return on_request(message); },
    [this](const list_all& message) { return on_list_all(message); },
    [this](const send_notification& message) {
      return on_notification(message);
    },
    [this](const cancel_request& message) { return on_cancel(message); },
    [this](const close_connection& message) { return on_close(message); },
    [this](watch_status) { return on_watch(); },
    [this](const listen& message) { return on_listen(message); },
    [this](const grant_events& message) { return on_grant(message); },
    [this](const cancel_subscription& message) {
      return on_cancel_subscription(message);
    },
    [this](send_pipelined& message) { return on_send_pipelined(message); },
    [this](await_answers& message) { return on_await_answers(message); },
    [this](const port_opened& message) { on_port_opened(message); },
    [this](port_received& message) { on_port_received(message); },
    [this](const port_closed& message) { on_port_closed(message); },
    [this](deadline_passed) { on_deadline_passed(); },
  };
}

void connection_actor::on_exit() {
  close_reason reason;
  reason.cause = close_cause::internal_error;
  if (!std::holds_alternative<closed>(phase_))
    end(reason); // the actor was killed
  answer_streams_.flush();
  rest();
  pinned_actor::on_exit();
}

// -- messages -----------------------------------------------------------------

caf::result<session_info> connection_actor::on_open() {
  if (auto* end = std::get_if<closed>(&phase_))
    return closed_error(end->reason);
  if (const auto& opener = current_sender(); !owner_ && opener) {
    owner_ = caf::actor_cast<caf::actor_addr>(opener);
    watch_actor(opener);
  }
  if (std::holds_alternative<ready>(phase_))
    return info();
  auto promise = make_response_promise<session_info>();
  open_promises_.push_back(promise);
  if (std::holds_alternative<idle>(phase_))
    start_server();
  return promise;
}

caf::result<void> connection_actor::on_close(const close_connection& message) {
  auto promise = make_response_promise<void>();
  close_promises_.push_back(promise);
  const auto has_server = std::holds_alternative<ready>(phase_)
                          || std::holds_alternative<connecting>(phase_);
  if (has_server && message.drain.count() > 0) {
    end_subscriptions(closed_error(close_reason{}));
    if (has_callers()) {
      drain_deadline_ = clock::now() + message.drain;
      arm_timer();
      return promise;
    }
  }
  if (!std::holds_alternative<closed>(phase_))
    end(close_reason{});
  else
    rest_if_alone();
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
  now.state = state();
  if (auto* end = std::get_if<closed>(&phase_))
    now.reason = end->reason;
  caf_version::tell(this, caf::actor_cast<status_listener>(watcher),
                    std::move(now));
  return caf::unit;
}

void connection_actor::on_port_opened(const port_opened& message) {
  if (message.generation != generation_
      || !std::holds_alternative<connecting>(phase_))
    return;
  pid_ = message.pid;
  take_step(handshake_.start());
}

void connection_actor::on_port_closed(const port_closed& message) {
  if (message.generation != generation_
      || std::holds_alternative<closed>(phase_))
    return;
  pid_ = 0;
  retire_port();
  auto* attempt = std::get_if<connecting>(&phase_);
  if (attempt == nullptr) {
    lose_server(message.reason, message);
    return;
  }
  if (auto failure = attempt->failure) {
    failure->stderr_tail = message.reason.stderr_tail;
    if (!message.reason.detail.empty())
      failure->detail += "; " + message.reason.detail;
    lose_server(*failure, message);
    return;
  }
  auto step = handshake_.on_exit(message.reason);
  if (std::holds_alternative<handshake::restart>(step))
    start_server();
  else
    lose_server(message.reason, message);
}

void connection_actor::on_deadline_passed() {
  armed_for_ = clock::time_point::max();
  const auto now = clock::now();
  if (auto* attempt = std::get_if<connecting>(&phase_)) {
    if (now >= attempt->deadline) {
      attempt->deadline = clock::time_point::max();
      take_step(handshake_.on_timeout());
    } else if (now >= attempt->probe_deadline) {
      attempt->probe_deadline = clock::time_point::max();
      take_step(handshake_.on_probe_timeout());
    }
  } else if (auto* pause = std::get_if<waiting>(&phase_)) {
    if (now >= pause->start_at)
      start_server();
  }
  for (auto id : requests_.overdue(now))
    expire(id);
  end_if_drained();
  arm_timer();
}

void connection_actor::on_actor_exit(const caf::actor_addr& source,
                                     const caf::error& reason) {
  if (std::erase(children_, source) > 0) {
    const auto is_current = port_ && source == port_.address();
    if (reason && is_current && !std::holds_alternative<closed>(phase_)) {
      port_closed lost;
      lost.generation = generation_;
      lost.messages_taken = messages_written_; // nobody knows
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
  if (!std::holds_alternative<closed>(phase_))
    end(why);
  quit(reason);
}

void connection_actor::on_actor_down(const caf::actor_addr& source) {
  monitors_.erase(source);
  std::erase(watchers_, source);
  if (auto found = request_owners_.find(source);
      found != request_owners_.end()) {
    forget_requests_of(found->second);
    request_owners_.erase(found);
    answer_streams_.forget(source);
  }
  forget_subscriptions_of(source);
  if (owner_ == source && !std::holds_alternative<closed>(phase_)) {
    close_reason reason;
    reason.cause = close_cause::owner_down;
    end(reason);
  }
}

// -- what is known ------------------------------------------------------------

connection_state connection_actor::state() const noexcept {
  switch (phase_.index()) {
    case 0:
      return connection_state::idle;
    case 1:
      return connection_state::connecting;
    case 2:
      return connection_state::ready;
    case 3:
      return connection_state::waiting;
    default:
      return connection_state::closed;
  }
}

session_info connection_actor::info() const {
  session_info result;
  result.state = state();
  result.in_flight = requests_.size();
  if (const auto* current = std::get_if<ready>(&phase_)) {
    const auto& session = current->session;
    result.era = session.era;
    result.protocol_version = session.protocol_version;
    result.server_info = session.server_info;
    result.capabilities = session.capabilities;
    result.instructions = session.instructions;
    result.pid = pid_;
  }
  return result;
}

void connection_actor::set_phase(phase next,
                                 const std::optional<close_reason>& reason,
                                 caf::timespan backoff) {
  phase_ = std::move(next);
  for (const auto& watcher : watchers_)
    if (auto strong = caf::actor_cast<caf::strong_actor_ptr>(watcher))
      caf_version::tell(this, caf::actor_cast<status_listener>(strong),
                        status_changed{state(), reason, backoff});
}

// -- start --------------------------------------------------------------------

void connection_actor::start_server() {
  const auto now = clock::now();
  ++generation_;
  outgoing_.clear();
  messages_written_ = 0;
  // A restart within the handshake does not get more time.
  if (auto* attempt = std::get_if<connecting>(&phase_))
    attempt->probe_deadline = clock::time_point::max();
  else
    set_phase(connecting{now + options_->handshake_timeout,
                         now + options_->probe_timeout, std::nullopt});
  port_config config;
  config.options = options_;
  config.listener = port_listener{
    caf::actor_cast<port_listener>(connection_and_port_listener{this})};
  config.logs = logs_;
  config.generation = generation_;
  port_ = spawn_port_owner(system(), shared_loop(), std::move(config));
  children_.push_back(port_.address());
  arm_timer();
}

void connection_actor::take_step(handshake::step step) {
  if (const auto* attempt = std::get_if<connecting>(&phase_);
      attempt != nullptr && attempt->failure)
    return; // too late: the process is being stopped
  if (auto* discover = std::get_if<handshake::send_discover>(&step)) {
    send_handshake_request(
      request_purpose::discover, "server/discover", {},
      modern_meta(*options_, discover->version,
                  capabilities_of(handlers_, era::modern)));
  } else if (auto* legacy = std::get_if<handshake::send_initialize>(&step)) {
    send_handshake_request(
      request_purpose::initialize, "initialize",
      initialize_params(*options_, legacy->version,
                        capabilities_of(handlers_, era::legacy)),
      {});
  } else if (auto* agreed = std::get_if<handshake::ready>(&step)) {
    become_ready(std::move(agreed->session));
  } else if (auto* failure = std::get_if<handshake::failed>(&step)) {
    fail_handshake(std::move(failure->reason));
  }
}

void connection_actor::send_handshake_request(request_purpose purpose,
                                              std::string method,
                                              payload params, payload meta) {
  pending_request request;
  request.purpose = purpose;
  request.method = method;
  request.deadline = clock::time_point::max(); // the attempt has its own
  auto& added = requests_.add(std::move(request), nullptr);
  added.written_as = write(outgoing_request{
    added.id, std::move(method), std::move(params), std::move(meta), false});
}

void connection_actor::become_ready(session agreed) {
  was_ready_ = true;
  reconnects_.on_ready(clock::now());
  ready next;
  if (agreed.era == era::modern)
    next.meta = modern_meta(*options_, agreed.protocol_version,
                            capabilities_of(handlers_, era::modern));
  else
    write(outgoing_notification{"notifications/initialized", {}});
  next.gate = capability_gate{agreed.capabilities, agreed.protocol_version};
  next.session = std::move(agreed);
  // Of two that were sent, the second may never be answered.
  for (auto id : requests_.ids())
    if (is_handshake(requests_.find(id)->purpose))
      requests_.take(id);
  set_phase(std::move(next));
  for (auto& promise : std::exchange(open_promises_, {}))
    promise.deliver(info());
  for (auto& held : std::exchange(held_notifications_, {})) {
    if (is_allowed(held.message, std::get<ready>(phase_).session.era))
      write(outgoing_notification{std::move(held.message.method),
                                  std::move(held.message.params)});
    held.promise.deliver();
  }
  refresh_log_level();
  for (auto id : requests_.ids())
    if (auto* request = requests_.find(id); request && !request->is_sent())
      dispatch(*request);
  end_if_drained();
}

void connection_actor::fail_handshake(close_reason reason) {
  auto* attempt = std::get_if<connecting>(&phase_);
  if (attempt == nullptr || attempt->failure)
    return;
  attempt->failure = std::move(reason);
  flush_output();
  // Its last words, `port_closed`, are part of the reason.
  caf_version::tell(this, port_, port_stop{});
}

// -- end ----------------------------------------------------------------------

void connection_actor::lose_server(const close_reason& reason,
                                   const port_closed& last_words) {
  pid_ = 0;
  const auto& unsent = last_words.unsent;
  for (auto id : requests_.ids()) {
    auto& request = *requests_.find(id);
    if (request.written_as > last_words.messages_taken
        || std::binary_search(unsent.begin(), unsent.end(), id))
      request.written_as = 0;
  }
  auto pause = was_ready_ ? reconnects_.on_lost(clock::now()) : std::nullopt;
  if (!pause || drain_deadline_) {
    end(reason);
    return;
  }
  server_requests_.clear();
  output_schemas_.clear();
  for (auto id : requests_.ids()) {
    const auto* request = requests_.find(id);
    const auto is_call = request->purpose == request_purpose::call
                         || request->purpose == request_purpose::page;
    if (is_call && !request->was_sent())
      continue; // the next process gets it for the first time
    auto lost = *requests_.take(id);
    if (is_call)
      fail(lost, lost_error(reason, "unknown"));
  }
  set_phase(waiting{clock::now() + *pause}, reason, *pause);
  cache_.clear();
  suspend_subscriptions(reason);
  arm_timer();
}

void connection_actor::end(const close_reason& reason) {
  set_phase(closed{reason}, reason);
  server_requests_.clear();
  for (auto& request : requests_.take_all())
    if (request.reply.pending())
      fail(request,
           lost_error(reason, request.was_sent() ? "unknown" : "not_sent"));
  end_subscriptions(closed_error(reason));
  for (auto& promise : std::exchange(open_promises_, {}))
    promise.deliver(closed_error(reason));
  for (auto& held : std::exchange(held_notifications_, {}))
    held.promise.deliver(closed_error(reason));
  timer_.reset();
  retire_port();
  rest_if_alone();
}

/// Lets go of the port owner, but keeps in mind that its process is still there
/// until it answers, or dies.
void connection_actor::retire_port() {
  if (!port_)
    return;
  flush_output();
  ++ports_leaving_;
  auto is_gone = [this] {
    --ports_leaving_;
    rest_if_alone();
  };
  caf_version::ask(*this, std::exchange(port_, nullptr), caf::infinite,
                   port_stop{})
    .then(is_gone, [is_gone](const caf::error&) { is_gone(); });
}

void connection_actor::rest_if_alone() {
  if (ports_leaving_ == 0 && std::holds_alternative<closed>(phase_))
    rest();
}

/// The connection is closed and its process gone: nothing ties the actor to its
/// loop any more, and it lives only as long as somebody has a handle.
void connection_actor::rest() {
  timer_.reset();
  for (auto& promise : std::exchange(close_promises_, {}))
    promise.deliver();
  for (auto& [address, monitor] : std::exchange(monitors_, {}))
    caf_version::unwatch(this, address, monitor);
  watchers_.clear();
  request_owners_.clear();
  logs_ = nullptr;
  loop().let_go(id());
}

bool connection_actor::has_callers() {
  const auto ids = requests_.ids();
  return std::any_of(ids.begin(), ids.end(), [this](auto id) {
    return requests_.find(id)->reply.pending();
  });
}

void connection_actor::end_if_drained() {
  if (!drain_deadline_ || std::holds_alternative<closed>(phase_))
    return;
  const auto is_answered
    = std::holds_alternative<ready>(phase_) && requests_.empty();
  if (is_answered || clock::now() >= *drain_deadline_)
    end(close_reason{});
}

// -- timer and monitors -------------------------------------------------------

void connection_actor::arm_timer() {
  if (!timer_)
    return;
  auto earliest = requests_.next_deadline().value_or(clock::time_point::max());
  if (const auto* attempt = std::get_if<connecting>(&phase_))
    earliest = std::min({earliest, attempt->deadline, attempt->probe_deadline});
  else if (const auto* pause = std::get_if<waiting>(&phase_))
    earliest = std::min(earliest, pause->start_at);
  if (drain_deadline_ && !std::holds_alternative<closed>(phase_))
    earliest = std::min(earliest, *drain_deadline_);
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
  auto address = caf::actor_cast<caf::actor_addr>(whom);
  if (monitors_.contains(address))
    return;
  monitors_.emplace(
    address,
    caf_version::watch(this, whom,
                       [this](const caf::actor_addr& source,
                              const caf::error&) { on_actor_down(source); }));
}

} // namespace caf_mcp
