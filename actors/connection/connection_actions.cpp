// Takes what the server sends, and does what the classes of this room decide.
#include "caf_mcp/actors/connection/connection_actor.hpp"
#include "caf_mcp/actors/connection/output_checker.hpp"
#include "caf_mcp/actors/connection/subscriptions/listen_filters.hpp"
#include "caf_mcp/messages/error_info.hpp"
#include "caf_mcp/messages/json/excerpt.hpp"

#include <caf/actor_cast.hpp>

#include <algorithm>
#include <array>
#include <utility>
#include <variant>

namespace caf_mcp {

namespace {

constexpr std::string_view batching_version = "2025-03-26";

constexpr std::string_view log_level_key = "io.modelcontextprotocol/logLevel";

/// What a server of some version of the protocol may report. Those that the
/// connection has no use for are here, too.
constexpr std::array<std::string_view, 11> known_notifications{
  "notifications/progress",
  "notifications/message",
  "notifications/cancelled",
  "notifications/tools/list_changed",
  "notifications/prompts/list_changed",
  "notifications/resources/list_changed",
  "notifications/resources/updated",
  "notifications/subscriptions/acknowledged",
  "notifications/elicitation/complete",
  "notifications/tasks",
  "notifications/tasks/status"};

bool is_known_notification(std::string_view method) {
  return std::find(known_notifications.begin(), known_notifications.end(),
                   method)
         != known_notifications.end();
}

/// Returns `meta` with this log level in it (MCP 2026-07-28, Basic, `_meta`).
payload with_log_level(const payload& meta, std::optional<log_level> level) {
  boost::json::object result;
  if (const auto* members = meta.if_object())
    result = *members;
  if (level)
    result.insert_or_assign(log_level_key, to_string(*level));
  else
    result.erase(log_level_key);
  return payload{boost::json::value(std::move(result))};
}

} // namespace

/// Does what the lifecycle, calls and subscriptions have decided.
struct connection_actor::performer {
  connection_actor& self;

  using handler_outcome = caf::expected<payload>;

  // -- lifecycle --------------------------------------------------------------

  void operator()(const lifecycle::nothing&) const {
    // nop
  }

  void operator()(const lifecycle::start_process&) const {
    self.tell_watchers();
    spawn_port();
  }

  void operator()(const lifecycle::restart_process&) const {
    spawn_port();
  }

  void operator()(const handshake::send_discover& action) const {
    self.calls_.write_handshake(request_purpose::discover, "server/discover",
                                {}, modern_meta_for(action.version));
  }

  void operator()(const handshake::send_initialize& action) const {
    self.calls_.write_handshake(
      request_purpose::initialize, "initialize",
      initialize_params(*self.options_, action.version,
                        capabilities_of(self.handlers_, era::legacy)),
      {});
  }

  void operator()(const lifecycle::stop_process&) const {
    self.flush_output();
    caf_version::tell(&self, self.port_, port_stop{});
  }

  void operator()(const lifecycle::serve&) const {
    const auto& agreed = *self.lifecycle_.current_session();
    calls::server server;
    server.spoken = agreed.era;
    server.capabilities = agreed.capabilities;
    server.gate = capability_gate{agreed.capabilities, agreed.protocol_version};
    if (agreed.era == era::modern)
      server.meta = modern_meta_for(agreed.protocol_version);
    else
      self.out_.write(outgoing_notification{"notifications/initialized", {}});
    self.calls_.on_ready(std::move(server));
    self.tell_watchers();
    for (auto& promise : std::exchange(self.open_promises_, {}))
      promise.deliver(self.lifecycle_.info(self.calls_.size()));
    self.carry_out(
      self.subscriptions_.on_ready(agreed.era, agreed.capabilities));
    while (self.calls_.has_held())
      self.carry_out(self.calls_.write_next_held());
  }

  void operator()(const lifecycle::wait_for_restart& action) const {
    self.server_requests_.clear();
    self.carry_out(self.calls_.lose(action.reason));
    self.tell_watchers(action.reason, action.pause);
    self.carry_out(self.subscriptions_.on_lost(to_error(action.reason)));
  }

  void operator()(const lifecycle::close& action) const {
    const auto& reason = action.reason;
    self.tell_watchers(reason);
    self.server_requests_.clear();
    self.carry_out(self.calls_.end(reason));
    self.carry_out(self.subscriptions_.on_end(to_error(reason)));
    for (auto& promise : std::exchange(self.open_promises_, {}))
      promise.deliver(to_error(reason));
    self.timer_.reset();
    self.release_port();
    self.leave_loop_if_alone();
  }

  // -- calls ------------------------------------------------------------------

  void operator()(calls::need_input& action) const {
    self.server_requests_.add_input(std::move(action));
    start_inputs();
  }

  void operator()(calls::check_output& action) const {
    const auto number = action.number;
    self.calls_.attach_check(
      number,
      run_handler(output_checker(std::move(action)), {},
                  [&self = self, number](const handler_outcome& outcome) {
                    self.carry_out(
                      self.calls_.on_checked(number, read_check(outcome)));
                  }));
  }

  /// Tells the log actor.
  void operator()(calls::remark action) const {
    if (!self.logs_)
      return;
    server_output output;
    output.remarks.push_back(std::move(action.what));
    caf_version::tell(&self, self.logs_, std::move(output));
  }

  void operator()(calls::tell_progress& action) const {
    auto listener = caf::actor_cast<caf::strong_actor_ptr>(action.whom);
    if (!listener)
      return;
    caf_version::ask(self, caf::actor_cast<progress_listener>(listener),
                     caf::infinite, std::move(action.report))
      .then(
        [&self = self, id = action.call] {
          self.carry_out(self.calls_.on_progress_taken(id));
        },
        [&self = self, id = action.call](const caf::error& error) {
          self.calls_.on_progress_refused(id, error);
        });
  }

  void operator()(calls::listen_turn& action) const {
    self.carry_out(self.subscriptions_.on_turn(action.subscription));
  }

  void operator()(calls::own_over& action) const {
    auto& listeners = self.subscriptions_;
    if (action.purpose == request_purpose::subscribe)
      self.carry_out(listeners.on_uri_answer(
        action.subscription, std::string{action.params.string_member("uri")},
        action.error));
    else if (action.purpose == request_purpose::listen)
      self.carry_out(
        action.error
          ? listeners.on_listen_failure(action.subscription, action.error)
          : listeners.on_listen_result(action.subscription));
  }

  void operator()(calls::handshake_answered& action) const {
    const auto which = action.purpose == request_purpose::discover
                         ? handshake::answer_to::discover
                         : handshake::answer_to::initialize;
    self.carry_out(
      self.lifecycle_.on_answer(which, action.outcome, clock::now()));
  }

  void operator()(const calls::foreign_error& action) const {
    self.carry_out(
      self.lifecycle_.on_foreign_error(action.error, clock::now()));
  }

  /// Counts it, and tells the log actor now and then.
  void operator()(const calls::violation& action) const {
    if (auto count = self.violations_.add(action.which))
      (*this)(calls::remark{"the server " + action.what + "; "
                            + std::to_string(*count) + " so far"});
  }

  // -- subscriptions ----------------------------------------------------------

  void operator()(const subscriptions::hold_listen& action) const {
    const auto id
      = self.calls_.hold_listen(action.subscription, action.has_deadline);
    self.subscriptions_.attach(action.subscription, id);
    self.carry_out(self.calls_.write_held(id));
  }

  void operator()(subscriptions::write_listen& action) const {
    self.calls_.write_listen(action.request, std::move(action.params));
  }

  void operator()(const subscriptions::lift_deadline& action) const {
    self.calls_.lift_deadline(action.request);
  }

  void operator()(const subscriptions::drop_listen& action) const {
    self.calls_.drop(action.request, std::nullopt);
  }

  void operator()(const subscriptions::cancel_listen& action) const {
    self.calls_.drop(action.request, "nobody listens");
  }

  void operator()(subscriptions::send_own_request& action) const {
    const auto purpose = action.number == 0 ? request_purpose::unattended
                                            : request_purpose::subscribe;
    self.carry_out(self.calls_.send_own(purpose, action.number,
                                        std::move(action.method),
                                        std::move(action.params)));
  }

  void operator()(const subscriptions::use_log_level& action) const {
    self.calls_.use_meta(with_log_level(self.calls_.meta(), action.level));
  }

  void operator()(subscriptions::tell_owner& action) const {
    auto owner = caf::actor_cast<caf::strong_actor_ptr>(action.owner);
    if (!owner)
      return;
    std::visit(
      [this, &owner](auto& message) {
        caf_version::tell(&self, caf::actor_cast<subscription_listener>(owner),
                          std::move(message));
      },
      action.message);
  }

  // -- handlers ---------------------------------------------------------------

  /// Has a handler answer; calls `done` with what comes of it.
  running_handler
  run_handler(const handler& how, server_request request,
              const std::function<void(handler_outcome)>& done) const {
    auto actor = spawn_handler(self.system(), how);
    self.children_.push_back(actor.address());
    self.link_to(actor);
    caf_version::ask(self, actor, caf::infinite, std::move(request))
      .then([done](payload& result) { done(std::move(result)); },
            [done](caf::error& error) { done(std::move(error)); });
    return running_handler{caf::actor_cast<caf::strong_actor_ptr>(actor)};
  }

  /// Runs handlers for the inputs whose turn it is. Those of calls that are
  /// over are dropped.
  void start_inputs() const {
    auto is_wanted
      = [this](std::int64_t call) { return self.calls_.contains(call); };
    while (auto next = self.server_requests_.next_input(is_wanted)) {
      auto& needed = next->needed;
      const input_request asked{std::move(needed.key),
                                std::move(needed.request)};
      self.calls_.attach_input(
        needed.call,
        run_handler(*needed.how, asked.request,
                    [&self = self, number = next->number, call = needed.call,
                     asked](const handler_outcome& outcome) {
                      self.server_requests_.release(number);
                      self.carry_out(
                        self.calls_.on_input(call, asked, outcome));
                      performer{self}.start_inputs();
                    }));
    }
  }

private:
  void spawn_port() const {
    self.out_.reset();
    port_config config;
    config.options = self.options_;
    config.listener = port_listener{
      caf::actor_cast<port_listener>(connection_and_port_listener{&self})};
    config.logs = self.logs_;
    config.generation = self.lifecycle_.generation();
    self.port_
      = self.spawn_port_(self.system(), self.shared_loop(), std::move(config));
    self.children_.push_back(self.port_.address());
  }

  /// What a request of the modern era carries.
  payload modern_meta_for(std::string_view version) const {
    return modern_meta(*self.options_, version,
                       capabilities_of(self.handlers_, era::modern));
  }
};

/// Takes the messages of the server, one by one.
struct connection_actor::receiver {
  connection_actor& self;

  void operator()(incoming_response& message) const {
    self.carry_out(self.calls_.answer(std::move(message)));
  }

  void operator()(const undecodable_message& message) const {
    self.carry_out(self.calls_.on_undecodable(message));
  }

  void operator()(const incoming_request& message) const {
    const performer perform{self};
    if (!self.lifecycle_.is_ready())
      self.carry_out(self.lifecycle_.on_request(message.method, clock::now()));
    auto& requests = self.server_requests_;
    auto decision
      = requests.on_request(message, self.lifecycle_.server_stage());
    if (const auto& wrong = decision.wrong)
      perform(*wrong);
    if (auto* answer = std::get_if<outgoing_response>(&decision.next))
      self.out_.write(std::move(*answer));
    else if (auto* run = std::get_if<server_requests::run>(&decision.next))
      requests.attach(
        run->number,
        perform.run_handler(
          *run->how, std::move(run->request),
          [perform,
           number = run->number](const performer::handler_outcome& outcome) {
            auto& own = perform.self;
            if (auto made = own.server_requests_.on_outcome(number, outcome))
              own.out_.write(std::move(*made));
            perform.start_inputs();
          }));
  }

  void operator()(const incoming_notification& message) const {
    if (message.method == "notifications/progress") {
      self.carry_out(self.calls_.on_progress(message.params));
      return;
    }
    if (!is_known_notification(message.method))
      note(protocol_violation::unknown_notification,
           "sent the unknown notification " + excerpt(message.method));
    if (message.method == "notifications/cancelled")
      self.server_requests_.cancel(message.params.member("requestId"));
    if (const auto* session = self.lifecycle_.current_session())
      report(message, session->era);
  }

  /// MCP 2025-03-26, Batching: element by element. No other version has
  /// batches.
  void operator()(incoming_batch& message) const {
    const auto* session = self.lifecycle_.current_session();
    if (session == nullptr || session->protocol_version != batching_version) {
      note(protocol_violation::batch,
           "sent a batch, which this version of the protocol does not have");
      return;
    }
    for (auto& each : message.messages)
      if (self.lifecycle_.is_ready())
        std::visit(*this, each);
  }

private:
  void note(protocol_violation which, std::string what) const {
    performer{self}(calls::violation{which, std::move(what)});
  }

  /// Handles a notification that is for those who listen.
  void report(const incoming_notification& message, era spoken) const {
    if (const auto lacks = missing_member(message, spoken); !lacks.empty())
      note(protocol_violation::incomplete_notification,
           "sent " + excerpt(message.method) + " without a valid "
             + std::string{lacks});
    if (auto event = read_event(message)) {
      self.calls_.on_event(*event);
      self.carry_out(self.subscriptions_.on_event(std::move(*event)));
    } else {
      self.carry_out(
        self.subscriptions_.on_notification(message.method, message.params));
    }
  }
};

void connection_actor::on_port_received(port_received& message) {
  if (message.generation != lifecycle_.generation())
    return;
  for (auto& each : message.messages) {
    if (lifecycle_.is_closed())
      return;
    std::visit(receiver{*this}, each);
  }
}

void connection_actor::carry_out(lifecycle::step next) {
  std::visit(performer{*this}, next);
}

void connection_actor::carry_out(calls::actions to_do) {
  for (auto& each : to_do)
    std::visit(performer{*this}, each);
}

void connection_actor::carry_out(subscriptions::actions to_do) {
  for (auto& each : to_do)
    std::visit(performer{*this}, each);
}

} // namespace caf_mcp
