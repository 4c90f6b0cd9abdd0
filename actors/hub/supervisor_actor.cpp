#include "caf_mcp/actors/hub/supervisor_actor.hpp"

#include "caf_mcp/actors/connection/connection_actor.hpp"
#include "caf_mcp/messages/error_info.hpp"

#include <caf/actor_cast.hpp>
#include <caf/exit_reason.hpp>

#include <limits>
#include <random>
#include <utility>

namespace caf_mcp {

namespace {

/// The options of a connection whose restarts are counted by a supervisor.
std::shared_ptr<const server_options> supervised(server_options options,
                                                 const supervision& policy) {
  options.max_reconnects = policy.restart == restart_policy::temporary
                             ? 0
                             : std::numeric_limits<std::uint32_t>::max();
  return std::make_shared<const server_options>(std::move(options));
}

reconnect_policy fresh_backoff(std::chrono::milliseconds first_pause) {
  return {std::numeric_limits<std::uint32_t>::max(), std::random_device{}(),
          first_pause};
}

close_reason missing_dependency(const std::string& server) {
  return {close_cause::dependency_lost, 0, server, ""};
}

} // namespace

connection spawn_own_connection(caf::actor_system& system,
                                const std::shared_ptr<io_loop>& loop,
                                std::shared_ptr<const server_options> options,
                                log_listener logs, handlers answers) {
  return connection{spawn_pinned<connection_actor>(
    system, loop, std::move(options), std::move(logs), std::move(answers))};
}

supervisor_actor::supervisor_actor(caf::actor_config& cfg,
                                   std::shared_ptr<io_loop> loop,
                                   supervisor_config config)
  : enduring_actor{cfg, std::move(loop)},
    config_{std::move(config)},
    rules_{config_.policy},
    backoff_{fresh_backoff(config_.around.backoff_min)},
    has_dependencies_{config_.policy.depends_on.empty()},
    timer_{this->loop().context()} {
  // nop
}

supervisor_actor::behavior_type supervisor_actor::make_behavior() {
  caf_version::set_exit_handler(
    this, [this](const caf::actor_addr& source, const caf::error& reason) {
      on_actor_exit(source, reason);
    });
  caf_version::set_down_handler(
    this, [this](const caf::actor_addr&, const caf::error& reason) {
      on_hub_down(reason);
    });
  watch_hub();
  return {
    [this](open_connection message) { return pass_on<session_info>(message); },
    [this](get_session) { return on_get_session(); },
    [this](const send_request& message) { return on_request(message); },
    [this](const list_all& message) { return on_request(message); },
    [this](const send_notification& message) { return pass_on<void>(message); },
    [this](const cancel_request& message) { return pass_on_if_there(message); },
    [this](const listen& message) { return pass_on<std::uint64_t>(message); },
    [this](const grant_events& message) { return pass_on_if_there(message); },
    [this](const cancel_subscription& message) {
      return pass_on_if_there(message);
    },
    [this](const send_pipelined& message) {
      return on_pipelined<void>(message);
    },
    [this](const await_answers& message) {
      return on_pipelined<pipelined_answers>(message);
    },
    [this](const start_server& message) { return on_start(message); },
    [this](const stop_server& message) { return on_stop(message); },
    [this](get_status) { return on_get_status(); },
    [this](const replace_server& message) { return on_replace(message); },
    [this](const dependencies_changed& message) { on_dependencies(message); },
    [this](const status_changed& message) { on_status(message); },
    [this](const restart_due& message) { on_restart_due(message); },
  };
}

void supervisor_actor::on_exit() {
  timer_.reset();
  // Each keeps the hub, which keeps this actor.
  awaited_starts_.clear();
  stop_promises_.clear();
  held_.clear();
  pinned_actor::on_exit(); // its connections end, for they are linked
}

// -- messages -----------------------------------------------------------------

caf::result<session_info> supervisor_actor::on_get_session() {
  if (current_)
    return caf_version::pass_on(this, current_, get_session{});
  session_info result;
  if (state_ != server_state::idle)
    result.state = state_ == server_state::waiting ? connection_state::waiting
                                                   : connection_state::closed;
  return result;
}

template <class Answer, class Message>
caf::result<Answer> supervisor_actor::pass_on(const Message& message) {
  if (is_held())
    return hold<Answer>(message);
  if (auto error = refusal())
    return error;
  if (!current_)
    connect();
  return caf_version::pass_on(this, current_, message);
}

template <class Message>
caf::result<payload> supervisor_actor::on_request(const Message& message) {
  ++requests_;
  return pass_on<payload>(message);
}

template <class Answer, class Message>
caf::result<Answer> supervisor_actor::on_pipelined(const Message& message) {
  requests_ += message.requests.size();
  return pass_on<Answer>(message);
}

template <class Message>
caf::result<void> supervisor_actor::pass_on_if_there(const Message& message) {
  if (!held_.empty())
    return hold<void>(message); // what it is about may be held, too
  if (!current_)
    return caf::unit; // what it is about is over
  return caf_version::pass_on(this, current_, message);
}

caf::result<void> supervisor_actor::on_start(const start_server& message) {
  if (auto error = check_sender())
    return error;
  if (message.afresh) {
    disconnect(message.drain);
    forget_failures();
  }
  if (state_ == server_state::ready)
    return caf::unit;
  if (auto error = refusal(); error && !is_held())
    return error;
  auto promise = make_response_promise<void>();
  awaited_starts_.push_back({promise, message.afresh});
  if (!current_)
    connect();
  return promise;
}

caf::result<void> supervisor_actor::on_stop(const stop_server& message) {
  if (auto error = check_sender())
    return error;
  auto promise = make_response_promise<void>();
  stop_promises_.push_back(promise);
  release_held(to_error(close_reason{}));
  disconnect(message.drain);
  end_if_alone();
  return promise;
}

caf::result<server_status> supervisor_actor::on_get_status() {
  if (!current_)
    return status();
  auto promise = make_response_promise<server_status>();
  caf_version::ask(*this, current_, caf::infinite, get_session{})
    .then(
      [this, promise](const session_info& session) mutable {
        auto result = status();
        result.in_flight = session.in_flight;
        promise.deliver(std::move(result));
      },
      [this, promise](const caf::error&) mutable {
        promise.deliver(status());
      });
  return promise;
}

caf::result<void> supervisor_actor::on_replace(const replace_server& message) {
  if (auto error = check_sender())
    return error;
  if (!is_down() && message.options == config_.options
      && message.policy != config_.policy) {
    config_.policy = message.policy;
    rules_ = restart_rules{config_.policy};
    return caf::unit;
  }
  const auto was_used = state_ != server_state::idle;
  fail_starts(to_error(close_reason{}));
  disconnect(message.drain);
  config_.options = message.options;
  config_.policy = message.policy;
  forget_failures();
  if (was_used && config_.policy.start == start_policy::lazy)
    connect();
  return caf::unit;
}

void supervisor_actor::on_dependencies(const dependencies_changed& message) {
  if (check_sender())
    return;
  has_dependencies_ = message.state == dependencies_state::ready;
  if (!has_dependencies_)
    pause(message);
  else if (is_wanted_ && !current_)
    connect();
}

void supervisor_actor::on_status(const status_changed& message) {
  if (!current_ || current_sender() != current_)
    return;
  switch (message.state) {
    case connection_state::idle:
      break;
    case connection_state::connecting:
      ++starts_;
      set_state(server_state::starting);
      break;
    case connection_state::ready:
      caf_version::ask(*this, current_, caf::infinite, get_session{})
        .then(
          [this, generation = generation_](const session_info& session) {
            if (generation == generation_)
              on_ready(session);
          },
          [](const caf::error&) { /* its end is told by itself */ });
      break;
    case connection_state::waiting:
      on_lost(message.reason.value_or(close_reason{}));
      break;
    case connection_state::closed:
      current_ = nullptr;
      if (on_lost(message.reason.value_or(close_reason{})))
        wait_and_connect();
      break;
  }
}

void supervisor_actor::on_restart_due(const restart_due& message) {
  if (message.generation == generation_ && !current_)
    connect();
}

void supervisor_actor::on_actor_exit(const caf::actor_addr& source,
                                     const caf::error& reason) {
  if (std::erase(children_, source) > 0) {
    if (current_ && source == current_.address()) {
      current_ = nullptr;
      close_reason lost;
      lost.cause = close_cause::internal_error;
      lost.detail = "the connection died: " + caf::to_string(reason);
      if (on_lost(lost))
        wait_and_connect();
    }
  } else if (is_own_exit(source)) {
    quit(reason);
  }
}

void supervisor_actor::watch_hub() {
  if (auto owner = caf::actor_cast<caf::strong_actor_ptr>(config_.owner))
    caf_version::watch(
      this, owner, [this](const caf::actor_addr&, const caf::error& reason) {
        on_hub_down(reason);
      });
  else
    quit(caf::exit_reason::user_shutdown);
}

void supervisor_actor::on_hub_down(const caf::error& reason) {
  quit(reason ? reason : caf::error{caf::exit_reason::user_shutdown});
}

// -- who may ------------------------------------------------------------------

caf::error supervisor_actor::check_sender() {
  if (current_sender()
      && caf::actor_cast<caf::actor_addr>(current_sender()) == config_.owner)
    return {};
  return local_error(errc::capability_missing,
                     "only its hub may start, stop or replace a server");
}

bool supervisor_actor::is_down() const noexcept {
  return state_ == server_state::failed || state_ == server_state::stopped;
}

caf::error supervisor_actor::refusal() const {
  if (current_ || state_ == server_state::idle)
    return {};
  return lost_error(last_loss_.value_or(close_reason{}), "not_sent");
}

// -- servers that this one depends on -----------------------------------------

bool supervisor_actor::is_held() const noexcept {
  return !has_dependencies_ && !current_ && stop_promises_.empty()
         && (is_wanted_ || !is_down());
}

template <class Answer, class Message>
caf::result<Answer> supervisor_actor::hold(const Message& message) {
  auto promise = make_response_promise<Answer>();
  held_.push_back([this, promise, message](const caf::error& error) mutable {
    if (error)
      promise.deliver(error);
    else if (promise.pending())
      promise.delegate(current_, message);
    else // its sender wants no answer
      caf_version::enqueue(caf::actor_cast<caf::strong_actor_ptr>(current_),
                           nullptr, caf::make_message_id(),
                           caf::make_message(message), context());
  });
  want_dependencies();
  return promise;
}

void supervisor_actor::release_held(const caf::error& error) {
  for (const auto& each : std::exchange(held_, {}))
    each(error);
}

void supervisor_actor::want_dependencies() {
  is_wanted_ = true;
  if (auto owner = caf::actor_cast<caf::strong_actor_ptr>(config_.owner))
    caf_version::tell(this, caf::actor_cast<supervisor_listener>(owner),
                      dependencies_wanted{});
}

void supervisor_actor::pause(const dependencies_changed& message) {
  is_wanted_ = is_wanted_ || (state_ != server_state::idle && !is_down());
  if (!is_wanted_)
    return;
  disconnect();
  if (message.state == dependencies_state::awaited) {
    set_state(server_state::starting); // not for long: the other is, too
    yield_start(lost_error(missing_dependency(message.server), "not_sent"));
    return;
  }
  last_loss_ = missing_dependency(message.server);
  set_state(message.state == dependencies_state::down ? server_state::failed
                                                      : server_state::waiting);
  const auto error = lost_error(*last_loss_, "not_sent");
  release_held(error);
  fail_starts(error);
}

// -- connections --------------------------------------------------------------

void supervisor_actor::connect() {
  if (!has_dependencies_) {
    want_dependencies();
    return;
  }
  ++generation_;
  is_wanted_ = true;
  current_ = config_.around.connections(
    system(), shared_loop(), supervised(config_.options, config_.policy),
    config_.logs, config_.answers);
  children_.push_back(current_.address());
  link_to(current_);
  set_state(server_state::starting);
  caf_version::tell(this, current_, watch_status{});
  caf_version::ask(*this, current_, caf::infinite, open_connection{})
    .then([](const session_info&) { /* its status is told by itself */ },
          [](const caf::error&) { /* as is its end */ });
  release_held({});
}

/// Closes the connection; its process counts as there until it answers.
void supervisor_actor::disconnect(caf::timespan drain) {
  ++generation_;
  if (!current_)
    return;
  ++connections_leaving_;
  auto is_gone = [this] {
    --connections_leaving_;
    end_if_alone();
  };
  caf_version::ask(*this, std::exchange(current_, nullptr), caf::infinite,
                   close_connection{drain})
    .then(is_gone, [is_gone](const caf::error&) { is_gone(); });
}

void supervisor_actor::forget_failures() {
  rules_ = restart_rules{config_.policy};
  backoff_ = fresh_backoff(config_.around.backoff_min);
  last_loss_.reset();
  set_state(server_state::idle);
}

void supervisor_actor::on_ready(const session_info& session) {
  if (session.state != connection_state::ready)
    return; // lost meanwhile: a status_changed of its own says so
  backoff_.on_ready(clock::now());
  session_ = session;
  set_state(server_state::ready);
  succeed_starts();
}

bool supervisor_actor::on_lost(const close_reason& reason) {
  last_loss_ = reason;
  const auto decision = rules_.on_lost(reason, clock::now());
  if (decision == restart_decision::restart) {
    set_state(server_state::waiting);
  } else {
    is_wanted_ = false;
    disconnect();
    set_state(decision == restart_decision::stop ? server_state::stopped
                                                 : server_state::failed);
  }
  fail_starts(to_error(reason));
  return decision == restart_decision::restart;
}

void supervisor_actor::wait_and_connect() {
  const auto pause = backoff_.on_lost(clock::now());
  timer_->expires_after(pause.value_or(reconnect_policy::backoff_max));
  timer_->async_wait(
    [this, generation = generation_, hold = caf::strong_actor_ptr{ctrl()}](
      const boost::system::error_code& error) {
      if (!error)
        caf_version::tell(this, supervisor_and_listener{this},
                          restart_due{generation});
    });
}

void supervisor_actor::set_state(server_state next) {
  if (next != server_state::ready)
    session_ = {};
  if (std::exchange(state_, next) == next)
    return;
  if (auto owner = caf::actor_cast<caf::strong_actor_ptr>(config_.owner))
    caf_version::tell(this, caf::actor_cast<hub_listener>(owner),
                      server_changed{status()});
}

void supervisor_actor::succeed_starts() {
  for (auto& each : std::exchange(awaited_starts_, {}))
    each.promise.deliver();
}

void supervisor_actor::fail_starts(const caf::error& error) {
  for (auto& each : std::exchange(awaited_starts_, {}))
    each.promise.deliver(error);
}

void supervisor_actor::yield_start(const caf::error& error) {
  std::erase_if(awaited_starts_, [&error](awaited_start& each) {
    if (!each.is_restart)
      each.promise.deliver(error);
    return !each.is_restart;
  });
}

void supervisor_actor::end_if_alone() {
  if (stop_promises_.empty() || connections_leaving_ > 0)
    return;
  fail_starts(to_error(close_reason{}));
  for (auto& promise : std::exchange(stop_promises_, {}))
    promise.deliver();
  quit();
}

server_status supervisor_actor::status() const {
  server_status result;
  result.name = config_.name;
  result.state = state_;
  result.era = session_.era;
  result.protocol_version = session_.protocol_version;
  result.pid = session_.pid;
  result.restarts = starts_ > 0 ? starts_ - 1 : 0;
  result.requests = requests_;
  if (last_loss_)
    result.last_error = to_error(*last_loss_);
  return result;
}

} // namespace caf_mcp
