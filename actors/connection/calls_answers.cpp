// What servers answer, on the way back to callers.
#include "caf_mcp/actors/connection/call_errors.hpp"
#include "caf_mcp/actors/connection/calls.hpp"
#include "caf_mcp/messages/json/excerpt.hpp"

#include <algorithm>
#include <utility>
#include <variant>

namespace caf_mcp {

namespace {

std::optional<double> number(const payload& object, std::string_view key) {
  auto value = object.member(key);
  if (!value || !value.value().is_number())
    return std::nullopt;
  return value.value().to_number<double>();
}

/// MCP Tasks extension, 2026-07-28, Polymorphic Results: only `tools/call` may
/// become a task.
bool may_become_task(const pending_request& request) {
  return request.options.input == input_policy::answer
         && request.method == "tools/call";
}

} // namespace

calls::actions calls::answer(incoming_response&& message) {
  auto* request
    = message.match == id_match::none ? nullptr : table_.find(message.id);
  if (request == nullptr || !request->is_sent()) {
    on_stray(message);
    return take_actions();
  }
  if (message.match == id_match::lenient)
    report(protocol_violation::coerced_id,
           "gave an id back in another form, which is told once");
  auto outcome = read_answer(*request, std::move(message));
  on_outcome(table_.take(*request), std::move(outcome));
  return take_actions();
}

calls::actions calls::on_undecodable(const undecodable_message& message) {
  auto* request = message.id ? table_.find(*message.id) : nullptr;
  if (request == nullptr || !request->is_sent())
    report(protocol_violation::unusable_message,
           "sent a message that cannot be used: " + message.detail);
  else {
    auto detail = request->method + ": " + message.detail;
    on_outcome(table_.take(*request),
               local_error(message.code, std::move(detail)));
  }
  return take_actions();
}

void calls::on_stray(const incoming_response& message) {
  on_late_answer(message);
  if (message.match != id_match::none)
    report(protocol_violation::stray_answer, "answered the request "
                                               + std::to_string(message.id)
                                               + ", which waits for no answer");
  else if (message.error)
    report(protocol_violation::unnamed_error,
           "sent an error that names no request: "
             + excerpt(message.error.member("code").to_json()) + ' '
             + excerpt(message.error.string_member("message")));
  else
    report(protocol_violation::stray_answer,
           "sent an answer that names no request");
  if (message.error)
    to_do_.emplace_back(
      foreign_error{read_error(message.error).value_or(rpc_error{})});
}

void calls::report(protocol_violation which, std::string what) {
  to_do_.emplace_back(violation{which, std::move(what)});
}

// -- what an answer means -----------------------------------------------------

void calls::on_outcome(pending_request&& request, answer_outcome&& outcome) {
  if (is_handshake(request.purpose)) {
    to_do_.emplace_back(
      handshake_answered{request.purpose, std::move(outcome)});
    return;
  }
  if (auto last = request.reports.finish())
    tell(request, std::move(*last));
  if (auto* error = std::get_if<rpc_error>(&outcome))
    answered(std::move(request), peer_error(*error));
  else if (auto* problem = std::get_if<caf::error>(&outcome))
    answered(std::move(request), std::move(*problem));
  else if (server_ && server_->spoken == era::modern)
    on_modern_result(std::move(request), std::get<payload>(std::move(outcome)));
  else
    on_result(std::move(request), std::get<payload>(std::move(outcome)));
}

/// MCP 2026-07-28, Result types: anything that no declared extension adds is
/// invalid.
void calls::on_modern_result(pending_request&& request, payload&& result) {
  const auto type = result.string_member("resultType");
  if (request.task || (type == "task" && may_become_task(request))) {
    on_task(std::move(request), result);
    return;
  }
  const auto is_known = type == "complete" || type == "input_required"
                        || (type == "task" && request.method == "tools/call");
  if (!is_known && result.member("resultType")) {
    auto problem = invalid_answer(
      request, "unknown resultType " + result.member("resultType").to_json());
    answered(std::move(request), std::move(problem));
    return;
  }
  if (type == "input_required" && !is_own(request.purpose)
      && request.options.input == input_policy::answer) {
    on_input_required(std::move(request), result);
    return;
  }
  if (!request.inputs && request.changes_before == cache_.changes()
      && cache_.can_keep(request.method, request.params))
    cache_.add(request.method, request.params, result, now_());
  on_result(std::move(request), std::move(result));
}

/// A result that is no step on the way.
void calls::on_result(pending_request&& request, payload&& result) {
  if (!options_->allow_invalid_output && request.method == "tools/list")
    checks_.learn(result);
  deliver(std::move(request), std::move(result));
}

void calls::deliver(pending_request&& request, payload&& result) {
  if (request.pages)
    on_page(std::move(request), result);
  else
    answered(std::move(request), std::move(result));
}

void calls::on_page(pending_request&& request, const payload& result) {
  auto outcome = request.pages->add_page(result);
  if (auto* all = std::get_if<listing::complete>(&outcome)) {
    answered(std::move(request), std::move(all->items));
  } else if (auto* problem = std::get_if<caf::error>(&outcome)) {
    answered(std::move(request), std::move(*problem));
  } else {
    request.params = page_params(std::get<listing::next_page>(outcome).cursor);
    const auto deadline = now_() + request.timeout;
    dispatch(put_back(std::move(request), request_stage::held, deadline));
  }
}

void calls::on_task(pending_request&& request, const payload& result) {
  if (!request.task)
    request.task = std::make_unique<followed_task>();
  auto step = request.task->on_result(request.method, result);
  if (auto* wait = std::get_if<followed_task::pause>(&step)) {
    request.pause_end = now_() + wait->time;
    put_back(std::move(request), request_stage::pausing);
  } else if (auto* ask = std::get_if<followed_task::ask>(&step)) {
    on_input_required(std::move(request), ask->result);
  } else if (auto* end = std::get_if<followed_task::done>(&step)) {
    answered(std::move(request), std::move(end->result));
  } else if (auto* refused = std::get_if<followed_task::refused>(&step)) {
    answered(std::move(request), peer_error(refused->error));
  } else if (auto* lost = std::get_if<followed_task::lost>(&step)) {
    fail_answered(request, std::move(lost->error));
  } else {
    answered(std::move(request), std::get<caf::error>(std::move(step)));
  }
}

void calls::on_event(const server_event& event) {
  cache_.on_event(event);
  if (event.kind == event_kind::tools_changed)
    checks_.forget_schemas();
}

// -- input that the server needs ----------------------------------------------

/// MCP 2026-07-28, Multi Round-Trip Requests.
void calls::on_input_required(pending_request&& request,
                              const payload& result) {
  if (!request.inputs)
    request.inputs = std::make_unique<input_rounds>(request.params,
                                                    options_->max_input_rounds);
  auto step = request.inputs->on_input_required(request.method, result);
  if (auto* error = std::get_if<caf::error>(&step)) {
    fail_answered(request, std::move(*error));
    return;
  }
  if (auto* pause = std::get_if<input_rounds::pause>(&step)) {
    request.pause_end = now_() + pause->time;
    const auto deadline = request.deadline;
    put_back(std::move(request), request_stage::pausing, deadline);
    return;
  }
  std::vector<need_input> needed;
  for (auto& each : std::get<input_rounds::ask>(step).requests) {
    auto found = find_handler(*handlers_, each.request);
    if (auto* error = std::get_if<rpc_error>(&found)) {
      fail_answered(request, input_error(errc::capability_missing, request,
                                         each, error->message));
      return;
    }
    needed.push_back({0, std::move(each.key), std::move(each.request),
                      std::get<const handler*>(found)});
  }
  auto& added = put_back(std::move(request), request_stage::needs_input);
  for (auto& each : needed) {
    each.call = added.id;
    to_do_.emplace_back(std::move(each));
  }
}

/// Fails a request that was answered, so that only its task is to be cancelled.
void calls::fail_answered(pending_request& request, caf::error error) {
  request.stage = request_stage::needs_input;
  cancel_on_server(request, "");
  complete(request, std::move(error));
}

void calls::attach_input(std::int64_t id, running_handler handler) {
  if (auto* request = table_.find(id))
    request->inputs->attach(std::move(handler));
}

calls::actions calls::on_input(std::int64_t id, const input_request& asked,
                               const caf::expected<payload>& outcome) {
  auto* request = table_.find(id);
  if (request == nullptr)
    return {}; // it is complete, and its handlers were asked to stop
  if (!outcome) {
    auto taken = table_.take(*request);
    fail_answered(taken, input_error(errc::handler_failed, taken, asked,
                                     describe(outcome.error()).message));
  } else {
    request->inputs->add_answer(asked.key, *outcome);
    if (request->inputs->is_answered())
      go_on(*request);
  }
  return take_actions();
}

// -- progress -----------------------------------------------------------------

/// MCP, Progress: ignored unless the token belongs to a request that is active.
calls::actions calls::on_progress(const payload& params) {
  auto token = params.member("progressToken");
  auto value = number(params, "progress");
  auto* request = token.value().is_int64()
                    ? table_.find(token.value().get_int64())
                    : nullptr;
  if (!value || request == nullptr || !request->is_sent()) {
    report(protocol_violation::stray_progress,
           "reported progress of no request");
    return take_actions();
  }
  if (request->options.reset_timeout_on_progress)
    table_.set_deadline(
      *request, std::min(now_() + request->timeout, request->last_deadline));
  if (!request->options.wants_progress)
    return {};
  progress news{request->options.tag, *value, number(params, "total"),
                std::string{params.string_member("message")}};
  if (auto next = request->reports.add(std::move(news)))
    tell(*request, std::move(*next));
  return take_actions();
}

void calls::tell(const pending_request& request, progress news) {
  if (request.owner != nullptr)
    to_do_.emplace_back(
      tell_progress{request.owner->address, request.id, std::move(news)});
}

calls::actions calls::on_progress_taken(std::int64_t id) {
  if (auto* request = table_.find(id))
    if (auto next = request->reports.on_taken())
      tell(*request, std::move(*next));
  return take_actions();
}

void calls::on_progress_refused(std::int64_t id, const caf::error& error) {
  auto request = table_.take(id);
  if (!request)
    return;
  cancel_on_server(*request, "the receiver of progress failed");
  complete(*request,
           local_error(errc::handler_failed,
                       request->method + ": the receiver of progress failed: "
                         + caf::to_string(error)));
}

} // namespace caf_mcp
