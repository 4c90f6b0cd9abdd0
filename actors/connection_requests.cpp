#include "caf_mcp/actors/connection_actor.hpp"
#include "caf_mcp/actors/state/write_queue.hpp"
#include "caf_mcp/messages/error_info.hpp"

#include <caf/actor_cast.hpp>

#include <algorithm>
#include <utility>

namespace caf_mcp {

namespace {

/// Longer times are cut to this, so that no sum overflows.
constexpr std::chrono::hours longest_time{24 * 365};

std::chrono::steady_clock::duration
duration_or(const std::optional<caf::timespan>& chosen,
            std::chrono::milliseconds fallback) {
  using duration = std::chrono::steady_clock::duration;
  if (!chosen)
    return std::min<duration>(fallback, longest_time);
  return std::min<duration>(std::chrono::duration_cast<duration>(*chosen),
                            longest_time);
}

std::int64_t to_ms(std::chrono::steady_clock::duration time) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(time).count();
}

/// MCP, Lifecycle, Timeouts: a request that runs out of time.
caf::error timeout_error(const pending_request& request,
                         const server_options& options) {
  if (request.deadline >= request.last_deadline) {
    auto limit = to_ms(duration_or(request.options.max_total_timeout,
                                   options.max_total_timeout));
    return local_error(
      errc::max_total_timeout, "Maximum total timeout exceeded",
      payload{boost::json::value{{"method", request.method},
                                 {"maxTotalTimeoutMs", limit}}});
  }
  auto limit = to_ms(request.timeout);
  return local_error(
    errc::request_timeout,
    request.method + ": no answer within " + std::to_string(limit) + " ms",
    payload{boost::json::value{
      {"method", request.method},
      {"timeoutMs", limit},
      {"outcome", request.was_sent() ? "unknown" : "not_sent"}}});
}

caf::error capability_error(const std::string& method,
                            std::string_view missing) {
  return local_error(
    errc::capability_missing,
    method + ": the server does not declare the capability "
      + std::string{missing},
    payload{boost::json::value{{"method", method}, {"capability", missing}}});
}

caf::error validate(const send_request& message) {
  if (message.method.empty())
    return config_error("method", "must not be empty");
  if (message.params && message.params.if_object() == nullptr)
    return config_error("params", "must be an object or absent");
  return {};
}

pending_request pending(send_request&& message) {
  pending_request result;
  result.method = std::move(message.method);
  result.params = std::move(message.params);
  result.options = message.options;
  return result;
}

/// Returns whether a server that declares `capabilities` can list `kind`. One
/// that declares nothing at all gets the benefit of the doubt.
bool can_list(const payload& capabilities, list_kind kind) {
  const auto* declared = capabilities.if_object();
  return declared == nullptr || declared->contains(list_capability(kind));
}

} // namespace

bool is_allowed(const send_notification& message, era spoken) noexcept {
  return spoken == era::legacy
         || message.method != "notifications/roots/list_changed";
}

caf::error nobody_waits() {
  return config_error("sender", "a pipeline needs an actor that gets answers");
}

caf::error lost_error(const close_reason& reason, std::string_view outcome) {
  auto error = describe(to_error(reason));
  auto data = to_json(reason);
  data.emplace("outcome", outcome);
  return local_error(*enum_from_name<errc>(error.name),
                     std::move(error.message),
                     payload{boost::json::value(std::move(data))});
}

caf::result<payload> connection_actor::on_request(send_request& message) {
  if (auto error = validate(message))
    return error;
  return accept(pending(std::move(message)));
}

caf::result<void> connection_actor::on_send_pipelined(send_pipelined& message) {
  const auto caller = current_sender();
  if (!caller)
    return nobody_waits();
  accept(message.pipeline, message.requests, caller);
  return caf::unit;
}

caf::result<pipelined_answers>
connection_actor::on_await_answers(await_answers& message) {
  const auto caller = current_sender();
  if (!caller)
    return nobody_waits();
  auto& stream = answer_streams_.get(caf::actor_cast<caf::actor_addr>(caller),
                                     message.pipeline);
  auto promise = make_response_promise<pipelined_answers>();
  stream.waiting = promise;
  accept(message.pipeline, message.requests, caller);
  return promise;
}

void connection_actor::accept(std::uint64_t pipeline,
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
  arm_timer();
  flush_output();
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

caf::result<payload> connection_actor::accept(pending_request request) {
  // Before the promise is made, which clears the sender.
  auto* owner = owner_of(current_sender());
  auto promise = make_response_promise<payload>();
  request.reply = reply{promise};
  accept(std::move(request), owner, clock::now());
  arm_timer();
  return promise;
}

void connection_actor::accept(pending_request&& request, request_owner* owner,
                              clock::time_point now) {
  if (auto* end = std::get_if<closed>(&phase_)) {
    request.reply.deliver(lost_error(end->reason, "not_sent"));
    return;
  }
  auto* session = std::get_if<ready>(&phase_);
  if (drain_deadline_) {
    request.reply.deliver(lost_error(close_reason{}, "not_sent"));
    return;
  }
  if (std::holds_alternative<idle>(phase_))
    start_server();
  const auto& chosen = request.options;
  request.timeout = duration_or(chosen.timeout, options_->request_timeout);
  request.total_deadline
    = now + duration_or(chosen.max_total_timeout, options_->max_total_timeout);
  // Nothing that renews the deadline may do so for ever.
  if (chosen.reset_timeout_on_progress || request.pages)
    request.last_deadline = request.total_deadline;
  request.deadline = std::min(now + request.timeout, request.last_deadline);
  auto& added = requests_.add(std::move(request), owner);
  if (session != nullptr)
    dispatch(added);
}

void connection_actor::dispatch(pending_request& request) {
  if (request.purpose == request_purpose::listen) {
    dispatch_listen(request);
    return;
  }
  const auto& current = std::get<ready>(phase_);
  if (request.pages
      && !can_list(current.session.capabilities, request.pages->kind())) {
    auto taken = *requests_.take(request.id);
    taken.reply.deliver(payload{boost::json::value(boost::json::array{})});
    return;
  }
  if (request.task) {
    request.written_as
      = write(outgoing_request{request.id, std::string{request.task->method()},
                               request.task->params(), current.meta, false});
    return;
  }
  if (const auto missing = current.gate.missing_for(request.method);
      !missing.empty()) {
    auto taken = *requests_.take(request.id);
    fail(taken, capability_error(taken.method, missing));
    return;
  }
  // The clock is not read for an empty cache.
  if (cache_.size() > 0)
    if (auto known
        = cache_.find(request.method, request.params, clock::now())) {
      deliver_result(*requests_.take(request.id), std::move(known));
      return;
    }
  const auto wants_token = request.options.wants_progress
                           || request.options.reset_timeout_on_progress;
  request.written_as = write(outgoing_request{
    request.id, request.method, request.params, current.meta, wants_token});
}

caf::result<void>
connection_actor::on_notification(const send_notification& message) {
  if (message.method.empty())
    return config_error("method", "must not be empty");
  if (auto* end = std::get_if<closed>(&phase_))
    return to_error(end->reason);
  if (drain_deadline_)
    return to_error(close_reason{});
  outgoing_notification notification{message.method, message.params};
  const auto bytes_max = options_->max_unwritten_bytes;
  // There is no answer to fail later.
  if (auto result = write_queue{}.push(notification, bytes_max);
      result != push_result::queued) {
    auto why = explain(result, bytes_max);
    return local_error(why.code, message.method + ": params: " + why.detail);
  }
  if (const auto* current = std::get_if<ready>(&phase_)) {
    if (is_allowed(message, current->session.era))
      write(std::move(notification));
    return caf::unit;
  }
  auto promise = make_response_promise<void>();
  held_notifications_.push_back({message, promise});
  if (std::holds_alternative<idle>(phase_))
    start_server();
  return promise;
}

caf::result<void> connection_actor::on_cancel(const cancel_request& message) {
  auto address = caf::actor_cast<caf::actor_addr>(current_sender());
  auto found = request_owners_.find(address);
  if (found == request_owners_.end())
    return caf::unit;
  for (auto id : request_table::ids_of(found->second)) {
    if (requests_.find(id)->options.tag != message.tag)
      continue;
    auto request = *requests_.take(id);
    cancel_on_server(request, message.reason);
    fail(request, local_error(errc::cancelled, request.method + ": cancelled"));
  }
  end_if_drained();
  return caf::unit;
}

void connection_actor::after_messages() {
  flush_output();
  answer_streams_.flush();
}

void connection_actor::flush_output() {
  if (outgoing_.empty())
    return;
  port_write message;
  message.messages.reserve(outgoing_.size());
  message.messages.swap(outgoing_);
  if (port_)
    caf_version::tell(this, port_, std::move(message));
}

/// MCP, Cancellation: only for requests that were sent and are not answered,
/// never for `initialize`. The port owner has one queue, so this cannot
/// overtake the request.
void connection_actor::cancel_on_server(const pending_request& request,
                                        const std::string& reason) {
  if (!std::holds_alternative<ready>(phase_))
    return;
  if (request.task) {
    cancel_task(request);
    return;
  }
  if (!request.is_sent())
    return;
  boost::json::object params{{"requestId", request.id}};
  if (!reason.empty())
    params.emplace("reason", reason);
  write(outgoing_notification{"notifications/cancelled",
                              payload{boost::json::value(std::move(params))}});
}

void connection_actor::expire(std::int64_t id) {
  if (ask_for_task_after_pause(id) || send_again_after_pause(id))
    return;
  auto request = *requests_.take(id);
  cancel_on_server(request, "timed out");
  fail(request, timeout_error(request, *options_));
}

void connection_actor::forget_requests_of(request_owner& owner) {
  for (auto id : request_table::ids_of(owner))
    cancel_on_server(*requests_.take(id), "the requester is gone");
  end_if_drained();
}

void connection_actor::fail(pending_request& request, caf::error error) {
  if (is_own(request.purpose))
    on_own_failure(request, error);
  else
    request.reply.deliver(std::move(error));
}

request_owner* connection_actor::owner_of(const caf::strong_actor_ptr& caller) {
  if (!caller || std::holds_alternative<closed>(phase_))
    return nullptr;
  auto address = caf::actor_cast<caf::actor_addr>(caller);
  auto [found, is_new] = request_owners_.try_emplace(address);
  if (is_new) {
    found->second.address = address;
    watch_actor(caller);
  }
  return &found->second;
}

} // namespace caf_mcp
