#include "caf_mcp/actors/connection_actor.hpp"
#include "caf_mcp/messages/error_info.hpp"

#include <algorithm>
#include <utility>
#include <variant>
#include <vector>

namespace caf_mcp {

namespace {

/// What this side says when it cannot give a server the input it asks for.
caf::error input_error(errc code, const pending_request& request,
                       const input_request& asked, const std::string& why) {
  boost::json::object data{{"method", request.method},
                           {"inputMethod", asked.request.method},
                           {"inputKey", asked.key}};
  return local_error(code,
                     request.method + ": the server asks for "
                       + asked.request.method + ": " + why,
                     payload{std::move(data)});
}

} // namespace

/// MCP 2026-07-28, Multi Round-Trip Requests. The request goes back into the
/// table under a fresh id, which the next attempt will have; nothing more is
/// known of it to the server until then.
void connection_actor::on_input_required(pending_request request,
                                         const payload& result) {
  if (!request.inputs)
    request.inputs = std::make_unique<input_rounds>(
      request.params,
      input_limits{options_->max_input_rounds, options_->max_server_requests});
  request.written_as = 0;
  auto step = request.inputs->on_input_required(request.method, result);
  if (auto* error = std::get_if<caf::error>(&step)) {
    cancel_on_server(request, "");
    fail(request, std::move(*error));
    return;
  }
  request.reports = {};
  request.last_deadline = request.total_deadline;
  request.deadline = request.last_deadline;
  if (auto* pause = std::get_if<input_rounds::pause>(&step))
    request.deadline
      = std::min(clock::now() + pause->time, request.last_deadline);
  std::vector<std::pair<input_request, const handler*>> asked;
  if (auto* ask = std::get_if<input_rounds::ask>(&step))
    for (auto& each : ask->requests) {
      auto found = find_handler(handlers_, each.request);
      if (auto* error = std::get_if<rpc_error>(&found)) {
        cancel_on_server(request, "");
        fail(request, input_error(errc::capability_missing, request, each,
                                  error->message));
        return;
      }
      asked.emplace_back(std::move(each), std::get<const handler*>(found));
    }
  auto* owner = request.owner;
  auto& added = requests_.add(std::move(request), owner);
  for (auto& [each, how] : asked)
    added.inputs->attach(run_handler(
      *how, each.request,
      [this, id = added.id, each = each](const handler_outcome& outcome) {
        on_input(id, each, outcome);
      }));
  arm_timer();
}

void connection_actor::on_input(std::int64_t id, const input_request& asked,
                                const handler_outcome& outcome) {
  auto* request = requests_.find(id);
  if (request == nullptr)
    return; // it is over, and this handler was told so
  if (!outcome) {
    auto taken = *requests_.take(id);
    cancel_on_server(taken, "");
    fail(taken, input_error(errc::handler_failed, taken, asked,
                            describe(outcome.error()).message));
    end_if_drained();
    return;
  }
  request->inputs->add_answer(asked.key, *outcome);
  if (request->inputs->is_answered())
    send_again(*request);
}

/// Returns whether the request only waited, and has time left.
bool connection_actor::send_again_after_pause(std::int64_t id) {
  auto* request = requests_.find(id);
  if (request->is_sent() || !request->inputs || !request->inputs->is_pausing()
      || request->deadline >= request->last_deadline)
    return false;
  send_again(*request);
  return true;
}

void connection_actor::send_again(pending_request& request) {
  if (request.task)
    request.task->add_answers(request.inputs->answers());
  else
    request.params = request.inputs->next_params();
  requests_.set_deadline(
    request, std::min(clock::now() + request.timeout, request.last_deadline));
  dispatch(request);
  arm_timer();
}

} // namespace caf_mcp
