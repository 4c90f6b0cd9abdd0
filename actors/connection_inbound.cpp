#include "caf_mcp/actors/connection_actor.hpp"
#include "caf_mcp/messages/error_info.hpp"
#include "caf_mcp/messages/excerpt.hpp"

#include <caf/actor_cast.hpp>

#include <algorithm>
#include <array>
#include <utility>
#include <variant>

namespace caf_mcp {

namespace {

constexpr std::string_view batching_version = "2025-03-26";

/// What a server of some version of the protocol may report. Those that the
/// connection has no use for are here, too.
constexpr std::array<std::string_view, 10> known_notifications{
  "notifications/progress",
  "notifications/message",
  "notifications/cancelled",
  "notifications/tools/list_changed",
  "notifications/prompts/list_changed",
  "notifications/resources/list_changed",
  "notifications/resources/updated",
  "notifications/subscriptions/acknowledged",
  "notifications/elicitation/complete",
  "notifications/tasks/status"};

bool is_known_notification(std::string_view method) {
  return std::find(known_notifications.begin(), known_notifications.end(),
                   method)
         != known_notifications.end();
}

/// Reads a JSON-RPC error object; nothing if it is none.
std::optional<rpc_error> read_error(const payload& error) {
  const auto* object = error.if_object();
  if (object == nullptr)
    return std::nullopt;
  const auto* code = object->if_contains("code");
  if (code == nullptr || !code->is_int64())
    return std::nullopt;
  return rpc_error{code->get_int64(),
                   std::string{error.string_member("message")},
                   error.member("data")};
}

caf::error invalid(const pending_request& request, std::string_view what) {
  return local_error(errc::invalid_response,
                     request.method + ": " + std::string{what});
}

/// What a response says, once it is attributed to a request.
using verdict = std::variant<payload, rpc_error, caf::error>;

verdict judge(const pending_request& request, incoming_response&& message) {
  if (message.result && message.error)
    return invalid(request, "the response has both a result and an error");
  if (message.result)
    return std::move(message.result);
  if (!message.error)
    return invalid(request, "the response has neither a result nor an error");
  if (auto error = read_error(message.error))
    return std::move(*error);
  return invalid(request, "the error of the response has no integer code");
}

/// MCP 2026-07-28, Result types: anything that no declared extension adds is
/// invalid.
bool is_known_result_type(const pending_request& request,
                          const payload& result) {
  auto type = result.member("resultType");
  if (!type)
    return true;
  auto name = result.string_member("resultType");
  return name == "complete" || name == "input_required"
         || (name == "task" && request.method == "tools/call");
}

bool asks_for_input(const pending_request& request, const payload& result) {
  return request.options.input == input_policy::answer
         && result.string_member("resultType") == "input_required";
}

} // namespace

void connection_actor::on_port_received(port_received& message) {
  if (message.generation != generation_)
    return;
  for (auto& each : message.messages) {
    if (std::holds_alternative<closed>(phase_))
      return;
    std::visit(
      [this](auto& alternative) { on_incoming(std::move(alternative)); }, each);
  }
  end_if_drained();
}

void connection_actor::on_incoming(incoming_response&& message) {
  auto* request
    = message.match == id_match::none ? nullptr : requests_.find(message.id);
  if (request == nullptr || !request->is_sent()) {
    on_unattributable(message);
    return;
  }
  if (message.match == id_match::lenient)
    note_oddity(oddity::bent_id,
                "gave an id back in another form, which is told once");
  auto taken = requests_.take(message.id);
  if (is_handshake(taken->purpose))
    on_handshake_response(*taken, std::move(message));
  else
    complete(std::move(*taken), std::move(message));
}

void connection_actor::on_unattributable(const incoming_response& message) {
  if (message.match != id_match::none)
    note_oddity(oddity::stray_answer, "answered the request "
                                        + std::to_string(message.id)
                                        + ", which waits for no answer");
  else if (message.error)
    note_oddity(oddity::unnamed_error,
                "sent an error that names no request: "
                  + excerpt(message.error.member("code").to_json()) + ' '
                  + excerpt(message.error.string_member("message")));
  else
    note_oddity(oddity::stray_answer, "sent an answer that names no request");
  // MCP 2026-07-28, Versioning: while probing, any error means legacy.
  if (message.error && std::holds_alternative<connecting>(phase_))
    take_step(handshake_.on_foreign_error());
}

void connection_actor::on_handshake_response(const pending_request& request,
                                             incoming_response&& message) {
  auto which = request.purpose == request_purpose::discover
                 ? handshake::answer_to::discover
                 : handshake::answer_to::initialize;
  auto outcome = judge(request, std::move(message));
  if (auto* result = std::get_if<payload>(&outcome)) {
    take_step(handshake_.on_result(which, *result));
  } else if (auto* error = std::get_if<rpc_error>(&outcome)) {
    take_step(handshake_.on_error(which, *error));
  } else {
    auto problem = describe(std::get<caf::error>(outcome)).message;
    take_step(handshake_.on_error(which, rpc_error{0, problem, {}}));
  }
}

void connection_actor::complete(pending_request&& request,
                                incoming_response&& message) {
  if (auto last = request.reports.finish())
    tell_progress(request, std::move(*last));
  auto outcome = judge(request, std::move(message));
  if (auto* error = std::get_if<rpc_error>(&outcome)) {
    fail(request, peer_error(*error));
    return;
  }
  if (auto* problem = std::get_if<caf::error>(&outcome)) {
    fail(request, std::move(*problem));
    return;
  }
  auto& result = std::get<payload>(outcome);
  const auto* current = std::get_if<ready>(&phase_);
  const auto is_modern
    = current != nullptr && current->session.era == era::modern;
  if (is_modern && is_about_task(request, result)) {
    on_task(std::move(request), result);
    return;
  }
  if (is_modern && !is_known_result_type(request, result)) {
    fail(request, invalid(request, "unknown resultType "
                                     + result.member("resultType").to_json()));
    return;
  }
  if (is_own(request.purpose)) {
    on_own_result(request);
    return;
  }
  remember_output_schemas(request, result);
  if (is_modern && asks_for_input(request, result)) {
    on_input_required(std::move(request), result);
    return;
  }
  if (is_modern)
    cache_.add(request.method, request.params, result, clock::now());
  deliver_result(std::move(request), std::move(result));
}

void connection_actor::deliver_result(pending_request&& request,
                                      payload result) {
  if (request.pages)
    complete_page(std::move(request), result);
  else
    finish(std::move(request), std::move(result));
}

void connection_actor::complete_page(pending_request request,
                                     const payload& result) {
  auto outcome = request.pages->add_page(result);
  if (auto* all = std::get_if<listing::complete>(&outcome)) {
    request.reply.deliver(std::move(all->items));
    return;
  }
  if (auto* problem = std::get_if<caf::error>(&outcome)) {
    fail(request, std::move(*problem));
    return;
  }
  request.reports = {};
  request.params = page_params(std::get<listing::next_page>(outcome).cursor);
  request.deadline
    = std::min(clock::now() + request.timeout, request.last_deadline);
  auto* owner = request.owner;
  dispatch(requests_.add(std::move(request), owner));
  arm_timer();
}

void connection_actor::on_incoming(const incoming_notification& message) {
  if (message.method == "notifications/progress") {
    on_progress(message.params);
    return;
  }
  if (!is_known_notification(message.method))
    note_oddity(oddity::unknown_notification,
                "sent the unknown notification " + excerpt(message.method));
  if (message.method == "notifications/cancelled")
    on_server_cancelled(message.params);
  if (message.method == "notifications/tools/list_changed")
    output_schemas_.clear();
  on_report(message);
}

/// MCP 2025-03-26, Batching: element by element. No other version has batches.
void connection_actor::on_incoming(incoming_batch&& message) {
  const auto* current = std::get_if<ready>(&phase_);
  if (current == nullptr
      || current->session.protocol_version != batching_version) {
    note_oddity(oddity::batch,
                "sent a batch, which this version of the protocol has not");
    return;
  }
  for (auto& each : message.messages) {
    if (!std::holds_alternative<ready>(phase_))
      return;
    std::visit(
      [this](auto& alternative) { on_incoming(std::move(alternative)); }, each);
  }
}

void connection_actor::on_incoming(const undecodable_message& message) {
  const auto* request = message.id ? requests_.find(*message.id) : nullptr;
  if (request == nullptr || !request->is_sent()) {
    note_oddity(oddity::unusable_message,
                "sent a message that cannot be used: " + message.detail);
    return;
  }
  auto taken = requests_.take(*message.id);
  auto detail = taken->method + ": " + message.detail;
  if (taken->reply.pending() || is_own(taken->purpose)) {
    fail(*taken, local_error(message.code, std::move(detail)));
    return;
  }
  close_reason reason;
  reason.cause = close_cause::handshake_failed;
  reason.detail = std::move(detail);
  fail_handshake(std::move(reason));
}

} // namespace caf_mcp
