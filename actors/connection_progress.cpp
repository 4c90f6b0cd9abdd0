#include "caf_mcp/actors/connection_actor.hpp"
#include "caf_mcp/messages/error_info.hpp"

#include <caf/actor_cast.hpp>

#include <algorithm>
#include <utility>

namespace caf_mcp {

namespace {

std::optional<double> number(const payload& object, std::string_view key) {
  auto value = object.member(key);
  if (!value || !value.value().is_number())
    return std::nullopt;
  return value.value().to_number<double>();
}

} // namespace

/// MCP, Progress: ignored unless the token belongs to a request that is active.
void connection_actor::on_progress(const payload& params) {
  auto token = params.member("progressToken");
  auto value = number(params, "progress");
  auto* request = token.value().is_int64()
                    ? requests_.find(token.value().get_int64())
                    : nullptr;
  if (!value || request == nullptr || !request->is_sent()) {
    note_oddity(oddity::stray_progress, "reported progress of no request");
    return;
  }
  if (request->options.reset_timeout_on_progress)
    requests_.set_deadline(*request, std::min(clock::now() + request->timeout,
                                              request->last_deadline));
  if (!request->options.wants_progress)
    return;
  progress report{request->options.tag, *value, number(params, "total"),
                  std::string{params.string_member("message")}};
  if (auto next = request->reports.add(std::move(report)))
    tell_progress(*request, std::move(*next));
}

void connection_actor::tell_progress(const pending_request& request,
                                     progress report) {
  if (request.owner == nullptr)
    return;
  auto listener
    = caf::actor_cast<caf::strong_actor_ptr>(request.owner->address);
  if (!listener)
    return;
  caf_version::ask(*this, caf::actor_cast<progress_listener>(listener),
                   caf::infinite, std::move(report))
    .then([this, id = request.id] { on_progress_taken(id); },
          [this, id = request.id](const caf::error& error) {
            on_progress_refused(id, error);
          });
}

void connection_actor::on_progress_taken(std::int64_t id) {
  auto* request = requests_.find(id);
  if (request == nullptr)
    return;
  if (auto next = request->reports.on_taken())
    tell_progress(*request, std::move(*next));
}

void connection_actor::on_progress_refused(std::int64_t id,
                                           const caf::error& error) {
  auto request = requests_.take(id);
  if (!request)
    return;
  cancel_on_server(*request, "the receiver of progress failed");
  fail(*request,
       local_error(errc::handler_failed,
                   request->method + ": the receiver of progress failed: "
                     + caf::to_string(error)));
  end_if_drained();
}

} // namespace caf_mcp
