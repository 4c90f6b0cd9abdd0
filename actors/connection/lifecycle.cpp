#include "caf_mcp/actors/connection/lifecycle.hpp"

#include <algorithm>
#include <utility>

namespace caf_mcp {

namespace {

constexpr auto never = lifecycle::clock::time_point::max();

} // namespace

lifecycle::lifecycle(std::shared_ptr<const server_options> options,
                     std::uint32_t seed, std::chrono::milliseconds first_pause)
  : options_{std::move(options)},
    handshake_{options_},
    reconnects_{options_->max_reconnects, seed, first_pause} {
  // nop
}

// -- what callers say ---------------------------------------------------------

lifecycle::step lifecycle::start_if_idle() {
  if (is_idle())
    return start();
  return nothing{};
}

lifecycle::step lifecycle::start() {
  ++generation_;
  handshake_.forget_process();
  phase_ = connecting{};
  return start_process{};
}

void lifecycle::drain_until(clock::time_point deadline) {
  drain_deadline_ = std::min(drain_deadline_.value_or(never), deadline);
}

lifecycle::step lifecycle::close_if_drained(bool has_callers,
                                            clock::time_point now) {
  if (is_draining() && (!has_callers || now >= *drain_deadline_))
    return end(drained_);
  return nothing{};
}

lifecycle::step lifecycle::end(close_reason reason) {
  if (is_closed())
    return nothing{};
  phase_ = closed{reason};
  return close{std::move(reason)};
}

// -- what happens to the process ----------------------------------------------

lifecycle::step lifecycle::on_port_opened(std::int64_t pid,
                                          clock::time_point now) {
  auto* attempt = std::get_if<connecting>(&phase_);
  if (attempt == nullptr || attempt->failure)
    return nothing{};
  pid_ = pid;
  // A restart within the handshake does not get more time.
  if (attempt->deadline == never)
    attempt->deadline = now + options_->handshake_timeout;
  return take(handshake_.start(), now);
}

lifecycle::step lifecycle::on_port_closed(const close_reason& reason,
                                          clock::time_point now) {
  pid_ = 0;
  auto* attempt = std::get_if<connecting>(&phase_);
  if (attempt == nullptr)
    return lose(reason, now);
  if (auto failure = std::move(attempt->failure)) {
    failure->stderr_tail = reason.stderr_tail;
    if (!reason.detail.empty())
      failure->detail += "; " + reason.detail;
    return lose(*failure, now);
  }
  auto next = handshake_.on_exit(reason);
  if (!std::holds_alternative<handshake::restart>(next))
    return lose(reason, now);
  ++generation_;
  attempt->probe_deadline = never;
  return restart_process{};
}

lifecycle::step lifecycle::lose(const close_reason& reason,
                                clock::time_point now) {
  const auto pause = was_ready_ ? reconnects_.on_lost(now) : std::nullopt;
  if (!pause || drain_deadline_)
    return end(reason);
  phase_ = waiting{now + *pause};
  return wait_for_restart{reason, *pause};
}

// -- the handshake ------------------------------------------------------------

lifecycle::step lifecycle::on_answer(handshake::answer_to which,
                                     const answer_outcome& outcome,
                                     clock::time_point now) {
  if (const auto* result = std::get_if<payload>(&outcome))
    return take(handshake_.on_result(which, *result), now);
  if (const auto* error = std::get_if<rpc_error>(&outcome))
    return take(handshake_.on_error(which, *error), now);
  auto detail = describe(std::get<caf::error>(outcome)).message;
  return take(handshake_.on_unusable_answer(which, std::move(detail)), now);
}

lifecycle::step lifecycle::on_foreign_error(const rpc_error& error,
                                            clock::time_point now) {
  if (!std::holds_alternative<connecting>(phase_))
    return nothing{};
  return take(handshake_.on_foreign_error(error), now);
}

lifecycle::step lifecycle::on_request(std::string_view method,
                                      clock::time_point now) {
  if (!std::holds_alternative<connecting>(phase_))
    return nothing{};
  return take(handshake_.on_request(method), now);
}

lifecycle::step lifecycle::take(handshake::step next, clock::time_point now) {
  auto* attempt = std::get_if<connecting>(&phase_);
  if (attempt == nullptr || attempt->failure)
    return nothing{}; // too late: the process is being stopped
  if (auto* discover = std::get_if<handshake::send_discover>(&next)) {
    attempt->probe_deadline = now + options_->probe_timeout;
    return std::move(*discover);
  }
  if (auto* initialize = std::get_if<handshake::send_initialize>(&next))
    return std::move(*initialize);
  if (auto* agreed = std::get_if<handshake::ready>(&next)) {
    was_ready_ = true;
    reconnects_.on_ready(now);
    phase_ = ready{std::move(agreed->session)};
    return serve{};
  }
  if (auto* failed = std::get_if<handshake::failed>(&next)) {
    attempt->failure = std::move(failed->reason);
    return stop_process{};
  }
  return nothing{};
}

// -- time ---------------------------------------------------------------------

lifecycle::step lifecycle::on_deadline(clock::time_point now) {
  if (auto* pause = std::get_if<waiting>(&phase_))
    return now >= pause->start_at ? start() : nothing{};
  auto* attempt = std::get_if<connecting>(&phase_);
  if (attempt == nullptr)
    return nothing{};
  if (now >= attempt->deadline) {
    attempt->deadline = never;
    return take(handshake_.on_timeout(), now);
  }
  if (now >= attempt->probe_deadline) {
    attempt->probe_deadline = never;
    return take(handshake_.on_probe_timeout(), now);
  }
  return nothing{};
}

lifecycle::clock::time_point lifecycle::next_deadline() const {
  auto earliest = is_draining() ? *drain_deadline_ : never;
  if (const auto* attempt = std::get_if<connecting>(&phase_))
    return std::min({earliest, attempt->deadline, attempt->probe_deadline});
  if (const auto* pause = std::get_if<waiting>(&phase_))
    return std::min(earliest, pause->start_at);
  return earliest;
}

// -- what is known ------------------------------------------------------------

connection_state lifecycle::state() const noexcept {
  if (is_ready())
    return connection_state::ready;
  if (is_idle())
    return connection_state::idle;
  if (is_closed())
    return connection_state::closed;
  return has_server() ? connection_state::connecting
                      : connection_state::waiting;
}

const close_reason* lifecycle::end_reason() const noexcept {
  const auto* end = std::get_if<closed>(&phase_);
  return end == nullptr ? nullptr : &end->reason;
}

const close_reason* lifecycle::refusal() const noexcept {
  return is_draining() ? &drained_ : end_reason();
}

const session* lifecycle::current_session() const noexcept {
  const auto* current = std::get_if<ready>(&phase_);
  return current == nullptr ? nullptr : &current->session;
}

session_info lifecycle::info(std::size_t in_flight) const {
  session_info result;
  result.in_flight = in_flight;
  result.state = state();
  if (const auto* session = current_session()) {
    result.era = session->era;
    result.protocol_version = session->protocol_version;
    result.server_info = session->server_info;
    result.capabilities = session->capabilities;
    result.instructions = session->instructions;
    result.pid = pid_;
  }
  return result;
}

server_requests::stage lifecycle::server_stage() const {
  using stage = server_requests::stage;
  if (const auto* session = current_session())
    return session->era == era::modern ? stage::modern : stage::legacy;
  return handshake_.known_era() == era::modern ? stage::modern
                                               : stage::starting;
}

} // namespace caf_mcp
