#include "caf_mcp/actors/connection_actor.hpp"
#include "caf_mcp/messages/error_info.hpp"

#include <algorithm>
#include <utility>
#include <variant>

namespace caf_mcp {

/// MCP Tasks extension, 2026-07-28, Polymorphic Results: only `tools/call` may
/// become a task.
bool connection_actor::is_about_task(const pending_request& request,
                                     const payload& result) {
  return request.task != nullptr
         || (request.options.input == input_policy::answer
             && request.method == "tools/call"
             && result.string_member("resultType") == "task");
}

void connection_actor::on_task(pending_request request, const payload& result) {
  if (!request.task)
    request.task = std::make_unique<followed_task>();
  auto step = request.task->on_result(request.method, result);
  if (auto* wait = std::get_if<followed_task::pause>(&step)) {
    pause_task(std::move(request), wait->time);
  } else if (auto* ask = std::get_if<followed_task::ask>(&step)) {
    on_input_required(std::move(request), ask->result);
  } else if (auto* end = std::get_if<followed_task::done>(&step)) {
    finish(std::move(request), std::move(end->result));
  } else if (auto* refused = std::get_if<followed_task::refused>(&step)) {
    fail(request, peer_error(refused->error));
  } else {
    fail(request, std::get<caf::error>(std::move(step)));
  }
}

/// The request goes back into the table, under the id that the next message
/// about its task will have.
void connection_actor::pause_task(pending_request request,
                                  std::chrono::milliseconds time) {
  request.written_as = 0;
  request.last_deadline = request.total_deadline;
  request.deadline = std::min(clock::now() + time, request.last_deadline);
  auto* owner = request.owner;
  requests_.add(std::move(request), owner);
  arm_timer();
}

/// Returns whether the request only waited to ask for its task again, and has
/// time left.
bool connection_actor::ask_for_task_after_pause(std::int64_t id) {
  auto* request = requests_.find(id);
  if (request->is_sent() || !request->task
      || request->deadline >= request->last_deadline)
    return false;
  requests_.set_deadline(*request, std::min(clock::now() + request->timeout,
                                            request->last_deadline));
  dispatch(*request);
  return true;
}

/// MCP Tasks extension, 2026-07-28, Task Cancellation: by a request of its own.
/// Nobody waits for the answer.
void connection_actor::cancel_task(const pending_request& request) {
  write(outgoing_request{requests_.next_id(), "tasks/cancel",
                         request.task->id_params(),
                         std::get<ready>(phase_).meta, false});
}

} // namespace caf_mcp
