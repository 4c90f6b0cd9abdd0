#include "caf_mcp/actors/connection/calls.hpp"

#include "caf_mcp/actors/connection/call_errors.hpp"
#include "caf_mcp/actors/port/write_queue.hpp"

#include <boost/json/object.hpp>
#include <caf/actor_cast.hpp>

#include <algorithm>
#include <utility>

namespace caf_mcp {

namespace {

using clock = calls::clock;

constexpr auto never = clock::time_point::max();

/// Longer times are cut to this, so that no sum overflows.
constexpr std::chrono::hours longest_time{24 * 365};

clock::duration duration_or(const std::optional<caf::timespan>& chosen,
                            std::chrono::milliseconds fallback) {
  if (!chosen)
    return std::min<clock::duration>(fallback, longest_time);
  return std::min<clock::duration>(
    std::chrono::duration_cast<clock::duration>(*chosen), longest_time);
}

/// Returns whether a server that declares `capabilities` can list `kind`. One
/// that declares nothing at all gets the benefit of the doubt.
bool can_list(const payload& capabilities, list_kind kind) {
  const auto* declared = capabilities.if_object();
  return declared == nullptr || declared->contains(list_capability(kind));
}

constexpr std::string_view roots_changed_method
  = "notifications/roots/list_changed";

bool is_callers(const pending_request& request) {
  return request.purpose == request_purpose::call
         || request.purpose == request_purpose::page;
}

} // namespace

calls::calls(const server_options& options, const handlers& answers,
             outbox& out, time_source now)
  : options_{&options},
    handlers_{&answers},
    out_{&out},
    now_{now},
    cache_{options.max_cached_responses} {
  // nop
}

// -- what callers say ---------------------------------------------------------

std::pair<request_owner*, bool>
calls::owner_of(const caf::strong_actor_ptr& caller) {
  if (last_owner_ != nullptr && last_owner_->address == caller)
    return {last_owner_, false};
  auto address = caf::actor_cast<caf::actor_addr>(caller);
  auto [found, is_new] = owners_.try_emplace(address);
  if (is_new)
    found->second.address = std::move(address);
  last_owner_ = &found->second;
  return {last_owner_, is_new};
}

calls::actions calls::accept(pending_request&& request, request_owner* owner,
                             clock::time_point now) {
  const auto& chosen = request.options;
  request.timeout = duration_or(chosen.timeout, options_->request_timeout);
  request.total_deadline
    = now + duration_or(chosen.max_total_timeout, options_->max_total_timeout);
  // Nothing that renews the deadline may do so for ever.
  if (chosen.reset_timeout_on_progress || request.pages)
    request.last_deadline = request.total_deadline;
  request.deadline = std::min(now + request.timeout, request.last_deadline);
  auto& added = table_.add(std::move(request), owner);
  if (server_)
    dispatch(added);
  return take_actions();
}

calls::actions calls::cancel(const caf::actor_addr& caller,
                             const cancel_request& message) {
  auto found = owners_.find(caller);
  if (found == owners_.end())
    return {};
  for (auto id : request_table::ids_of(found->second)) {
    if (table_.find(id)->options.tag != message.tag)
      continue;
    auto request = *table_.take(id);
    cancel_on_server(request, message.reason);
    complete(request,
             local_error(errc::cancelled, request.method + ": cancelled"));
  }
  return take_actions();
}

calls::actions calls::forget(const caf::actor_addr& caller) {
  auto found = owners_.find(caller);
  if (found == owners_.end())
    return {};
  follow(checks_.forget(&found->second));
  for (auto id : request_table::ids_of(found->second))
    cancel_on_server(*table_.take(id), "the requester is gone");
  if (last_owner_ == &found->second)
    last_owner_ = nullptr;
  owners_.erase(found);
  return take_actions();
}

void calls::notify(outgoing_notification message,
                   caf::typed_response_promise<void> done) {
  const auto bytes_max = options_->max_unwritten_bytes;
  write_queue line;
  // There is no answer to fail later.
  if (auto result = line.push(message, bytes_max);
      result != push_result::queued) {
    auto why = explain(result, bytes_max);
    done.deliver(
      local_error(why.code, message.method + ": params: " + why.detail));
  } else if (server_) {
    write(std::move(message), done);
  } else if (line.size() > bytes_max - held_bytes_) {
    done.deliver(held_too_much_error(message.method, held_bytes_, bytes_max));
  } else {
    held_bytes_ += line.size();
    held_notifications_.push_back(
      {table_.last_id(), line.size(), std::move(message), std::move(done)});
  }
}

/// Writes a notification, unless the server must not be sent it.
void calls::write(outgoing_notification message,
                  caf::typed_response_promise<void>& done) {
  if (auto error = refusal_of(message)) {
    done.deliver(std::move(error));
    return;
  }
  // MCP 2026-07-28, Roots: their changes are not told.
  if (server_->spoken == era::legacy || message.method != roots_changed_method)
    out_->write(std::move(message));
  done.deliver();
}

caf::error calls::refusal_of(const outgoing_notification& message) const {
  if (server_->spoken == era::modern
      && message.method == "notifications/initialized")
    return legacy_only_error(message.method);
  // MCP, Roots: only a client that has declared the capability.
  if (message.method == roots_changed_method
      && std::holds_alternative<std::monostate>(handlers_->roots))
    return local_error(errc::capability_missing,
                       message.method
                         + ": this side does not declare the capability roots; "
                           "set a handler for roots/list",
                       payload{boost::json::value{{"method", message.method},
                                                  {"capability", "roots"}}});
  return {};
}

// -- requests of the connection itself ----------------------------------------

void calls::write_handshake(request_purpose purpose, std::string method,
                            payload params, payload meta) {
  pending_request request;
  request.purpose = purpose;
  request.method = method;
  request.deadline = never; // the attempt has its own
  auto& added = table_.add(std::move(request), nullptr);
  added.stage = request_stage::written;
  added.written_as = out_->write(outgoing_request{
    added.id, std::move(method), std::move(params), std::move(meta), false});
}

std::int64_t calls::hold_listen(std::uint64_t subscription, bool has_deadline) {
  pending_request request;
  request.purpose = request_purpose::listen;
  request.method = "subscriptions/listen";
  request.subscription = subscription;
  request.timeout = options_->request_timeout;
  request.deadline = has_deadline ? now_() + request.timeout : never;
  return table_.add(std::move(request), nullptr).id;
}

void calls::write_listen(std::int64_t id, payload params) {
  auto& request = *table_.find(id);
  request.params = std::move(params);
  write(request);
  table_.set_deadline(request,
                      std::min(request.deadline, now_() + request.timeout));
}

void calls::lift_deadline(std::int64_t id) {
  table_.set_deadline(*table_.find(id), never);
}

void calls::drop(std::int64_t id, std::optional<std::string_view> reason) {
  auto request = table_.take(id);
  if (request && reason)
    cancel_on_server(*request, *reason);
}

calls::actions calls::send_own(request_purpose purpose,
                               std::uint64_t subscription, std::string method,
                               payload params) {
  add_own(purpose, subscription, std::move(method), std::move(params));
  return take_actions();
}

void calls::add_own(request_purpose purpose, std::uint64_t subscription,
                    std::string method, payload params) {
  pending_request request;
  request.purpose = purpose;
  request.subscription = subscription;
  request.method = std::move(method);
  request.params = std::move(params);
  request.timeout = options_->request_timeout;
  request.deadline = now_() + request.timeout;
  dispatch(table_.add(std::move(request), nullptr));
}

// -- on the way to the server -------------------------------------------------

void calls::on_ready(server now_ready) {
  server_ = std::move(now_ready);
  // Of two that were sent, the second may never be answered.
  for (auto id : table_.ids())
    if (auto& request = *table_.find(id); is_handshake(request.purpose))
      table_.take(request);
    else if (request.stage == request_stage::held)
      held_ids_.push_back(id);
}

calls::actions calls::write_next_held() {
  if (!held_notifications_.empty()
      && (held_ids_.empty()
          || held_notifications_.front().after < held_ids_.front())) {
    auto next = std::move(held_notifications_.front());
    held_notifications_.pop_front();
    held_bytes_ -= std::min(held_bytes_, next.bytes);
    write(std::move(next.message), next.done);
    return {};
  }
  const auto id = held_ids_.front();
  held_ids_.pop_front();
  return write_held(id);
}

calls::actions calls::write_held(std::int64_t id) {
  auto* request = table_.find(id);
  if (server_ && request != nullptr && request->stage == request_stage::held)
    dispatch(*request);
  return take_actions();
}

/// Has a request written, unless there is no need to ask the server, or no use.
void calls::dispatch(pending_request& request) {
  if (request.purpose == request_purpose::listen) {
    to_do_.emplace_back(listen_turn{request.subscription});
    return;
  }
  if (request.pages
      && !can_list(server_->capabilities, request.pages->kind())) {
    auto taken = table_.take(request);
    answered(std::move(taken),
             payload{boost::json::value(boost::json::array{})});
    return;
  }
  if (request.task) {
    write(request);
    return;
  }
  if (const auto* unmet = server_->gate.unmet_for(request.method)) {
    auto taken = table_.take(request);
    complete(taken, unmet_error(taken.method, *unmet));
    return;
  }
  // The clock is not read for an empty cache. What a user has answered is no
  // part of what results are known by.
  if (cache_.size() > 0 && !request.inputs)
    if (auto known = cache_.find(request.method, request.params, now_())) {
      deliver(table_.take(request), std::move(known));
      return;
    }
  write(request);
}

void calls::write(pending_request& request) {
  request.stage = request_stage::written;
  request.changes_before = cache_.changes();
  if (request.task) {
    request.written_as = out_->write(
      outgoing_request{request.id, std::string{request.task->method()},
                       request.task->params(), server_->meta, false});
    return;
  }
  const auto wants_token = request.options.wants_progress
                           || request.options.reset_timeout_on_progress;
  request.written_as = out_->write(outgoing_request{
    request.id, request.method, request.params, server_->meta, wants_token});
}

/// MCP, Cancellation: only for requests that were sent and are not answered,
/// never for `initialize`. The port owner has one queue, so this cannot
/// overtake the request.
void calls::cancel_on_server(const pending_request& request,
                             std::string_view reason) {
  if (!server_)
    return;
  if (request.task) {
    cancel_task(request.task->id_params());
    return;
  }
  if (!request.is_sent())
    return;
  boost::json::object params{{"requestId", request.id}};
  if (!reason.empty())
    params.emplace("reason", reason);
  out_->write(outgoing_notification{
    "notifications/cancelled", payload{boost::json::value(std::move(params))}});
  remember_cancelled(request);
}

/// MCP Tasks extension, 2026-07-28, Task Cancellation: by a request of its own,
/// whose answer says nothing that anybody waits for.
void calls::cancel_task(payload params) {
  add_own(request_purpose::unattended, 0, "tasks/cancel", std::move(params));
}

/// A call that the server has made a task of, before it heard that the call is
/// cancelled, leaves a task that nobody follows.
void calls::remember_cancelled(const pending_request& request) {
  if (server_->spoken != era::modern || request.method != "tools/call")
    return;
  cancelled_.push_back(request.id);
  if (cancelled_.size() > cancelled_max)
    cancelled_.pop_front();
}

void calls::on_late_answer(const incoming_response& message) {
  if (message.match == id_match::none || !server_
      || message.result.string_member("resultType") != "task"
      || std::erase(cancelled_, message.id) == 0)
    return;
  if (const auto id = message.result.member("taskId"); id.value().is_string())
    cancel_task(payload{boost::json::value{{"taskId", id.value()}}});
}

// -- time ---------------------------------------------------------------------

calls::actions calls::expire(clock::time_point now) {
  follow(checks_.on_deadline(now));
  for (auto id : table_.overdue(now))
    if (auto* request = table_.find(id))
      expire(*request);
  return take_actions();
}

void calls::expire(pending_request& request) {
  if (request.goes_on_after_pause()) {
    go_on(request);
    return;
  }
  auto taken = table_.take(request);
  cancel_on_server(taken, "timed out");
  complete(taken,
           timeout_error(taken, duration_or(taken.options.max_total_timeout,
                                            options_->max_total_timeout)));
}

/// Sends the next message of a request that has waited for its pause, or for
/// answers. Its time begins anew, unless the server only wants to be called
/// again: that is not yet an answer.
void calls::go_on(pending_request& request) {
  const auto is_same = request.stage == request_stage::pausing && !request.task;
  const auto deadline = is_same ? request.deadline : now_() + request.timeout;
  if (!request.task)
    request.params = request.inputs->next_params();
  else if (request.stage == request_stage::needs_input)
    request.task->add_answers(request.inputs->answers());
  request.stage = request_stage::held;
  table_.set_deadline(request, std::min(deadline, request.last_deadline));
  dispatch(request);
}

clock::time_point calls::next_deadline() const {
  return std::min(table_.next_deadline().value_or(never),
                  checks_.next_deadline().value_or(never));
}

// -- the end ------------------------------------------------------------------

/// Puts a request that was answered, but is not complete, back under its owner.
/// It has a fresh id, which its next message will have; the server knows
/// nothing of that one until then.
pending_request& calls::put_back(pending_request&& request, request_stage stage,
                                 clock::time_point deadline) {
  request.stage = stage;
  request.reports = {};
  request.last_deadline = request.total_deadline;
  request.deadline = std::min(deadline, request.last_deadline);
  auto* owner = request.owner;
  return table_.add(std::move(request), owner);
}

/// Completes a request that was taken out of the table.
void calls::complete(pending_request& request, output_checks::outcome outcome) {
  auto* error = std::get_if<caf::error>(&outcome);
  if (is_own(request.purpose))
    to_do_.emplace_back(own_over{request.purpose, request.subscription,
                                 request.params,
                                 error != nullptr ? *error : caf::error{}});
  else
    complete(request.reply, std::move(outcome));
}

/// Delivers an answer to a caller; the only place where that is done.
void calls::complete(reply& to, output_checks::outcome&& outcome) {
  if (auto* error = std::get_if<caf::error>(&outcome))
    to.deliver(std::move(*error));
  else
    to.deliver(std::get<payload>(std::move(outcome)));
}

/// Completes a request with what its server said, once it is checked and what
/// the caller is to get before has been delivered.
void calls::answered(pending_request&& request,
                     output_checks::outcome outcome) {
  if (checks_.lets_all_pass() || is_own(request.purpose)) {
    complete(request, std::move(outcome));
    return;
  }
  const auto is_call = request.method == "tools/call";
  follow(checks_.add(
    {std::move(request.reply), request.owner, request.deadline,
     is_call ? request.params.string_member("name") : std::string_view{}},
    std::move(outcome)));
}

void calls::follow(output_checks::step step) {
  for (auto& each : step.answers)
    complete(each.to, std::move(each.what));
  for (auto& each : step.remarks)
    to_do_.emplace_back(remark{std::move(each)});
  if (step.start)
    to_do_.emplace_back(std::move(*step.start));
}

calls::actions calls::on_checked(std::uint64_t number,
                                 const output_check& checked) {
  follow(checks_.on_checked(number, checked));
  return take_actions();
}

void calls::on_port_closed(const port_closed& closed) {
  server_.reset();
  const auto& unsent = closed.unsent;
  for (auto id : table_.ids()) {
    auto& request = *table_.find(id);
    if (request.is_sent()
        && (request.written_as > closed.messages_taken
            || std::binary_search(unsent.begin(), unsent.end(), id)))
      request.stage = request_stage::held;
  }
}

calls::actions calls::lose(const close_reason& reason) {
  server_.reset();
  checks_.forget_schemas();
  cache_.clear();
  for (auto id : table_.ids()) {
    const auto& request = *table_.find(id);
    if (is_callers(request) && !request.was_sent())
      continue; // the next process gets it for the first time
    auto lost = *table_.take(id);
    if (is_callers(lost))
      complete(lost, lost_error(reason, "unknown"));
  }
  return take_actions();
}

calls::actions calls::end(const close_reason& reason) {
  server_.reset();
  follow(checks_.release_all());
  for (auto& held : std::exchange(held_notifications_, {}))
    held.done.deliver(to_error(reason));
  for (auto& request : table_.take_all())
    if (request.reply.pending())
      complete(request,
               lost_error(reason, request.was_sent() ? "unknown" : "not_sent"));
  last_owner_ = nullptr;
  owners_.clear();
  return take_actions();
}

bool calls::has_callers() const {
  return checks_.size() > 0 || !held_notifications_.empty()
         || table_.any_of([](const pending_request& request) {
              return request.reply.pending();
            });
}

} // namespace caf_mcp
