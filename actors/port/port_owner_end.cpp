// How a port owner learns that its process has ended, and how it stops one.
#include "caf_mcp/actors/port/port_owner_actor.hpp"
#include "caf_mcp/actors/port/shutdown_sequence.hpp"

#include <caf/actor_cast.hpp>

#include <chrono>
#include <string>
#include <utility>

namespace caf_mcp {

namespace {

/// How long the rest of an ending is waited for: for the output after the exit,
/// which a grandchild may keep open, or for the exit after the end of a pipe.
constexpr std::chrono::milliseconds linger_time{200};

} // namespace

// -- the end of the process -------------------------------------------------

void port_owner_actor::wait_for_exit() {
  process()->exit.async_wait(descriptor::wait_read,
                             then<&port_owner_actor::on_exit_notice>());
}

void port_owner_actor::on_exit_notice() {
  if (auto report = process()->peek())
    take(ending_.on_exit(*report));
  else
    wait_for_exit(); // meant for a descriptor that was closed meanwhile
}

void port_owner_actor::take(port_ending::step step) {
  switch (step) {
    case port_ending::step::wait:
      return;
    case port_ending::step::linger:
      process()->deadline.expires_after(linger_time);
      process()->deadline.async_wait(then<&port_owner_actor::on_linger_end>());
      return;
    case port_ending::step::close:
      close(ending_.reason());
      return;
  }
}

void port_owner_actor::on_linger_end() {
  if (!ending_.has_exited())
    ending_.on_last_look(process()->peek());
  if (ending_.has_exited() && process()->out.is_open())
    read_rest();
  close(ending_.reason());
}

void port_owner_actor::read_rest() {
  output_.read_rest(
    process()->out.native_handle(),
    [this](output_reader::messages last) { deliver(std::move(last)); });
  forward_junk();
}

close_reason port_owner_actor::explain(close_reason reason) const {
  reason.stderr_tail = log_.tail();
  // A judgement quotes what it is about.
  if (auto seen = output_.diagnosis(); !seen.empty() && !output_.fatal()) {
    if (!reason.detail.empty())
      reason.detail += "; ";
    reason.detail += seen;
  }
  return reason;
}

void port_owner_actor::close(close_reason reason) {
  if (auto& err = process()->err; err.is_open()) {
    log_.read_stderr(err.native_handle());
    log_.end_stderr();
  }
  if (auto last = log_.last())
    caf_version::tell(this, config_.logs, std::move(*last));
  tell_listener(port_closed{config_.generation, explain(std::move(reason)),
                            input_.messages_taken(), input_.unsent()});
  begin_shutdown();
}

void port_owner_actor::close_as_asked() {
  close(close_reason{});
}

// -- stopping ---------------------------------------------------------------

caf::result<void> port_owner_actor::on_stop() {
  auto promise = make_response_promise<void>();
  stop_promises_.push_back(promise);
  begin_stop();
  return promise;
}

void port_owner_actor::begin_stop() {
  auto* state = std::get_if<serving>(&state_);
  if (state == nullptr)
    return;
  state_ = stopping{std::move(state->process)};
  flush(); // closes once nothing is left
  if (process() == nullptr)
    return;
  if (ending_.has_begun()) {
    close_as_asked();
    return;
  }
  auto& timer = process()->deadline;
  timer.expires_after(config_.options->flush_timeout);
  timer.async_wait(then<&port_owner_actor::close_as_asked>());
}

void port_owner_actor::begin_shutdown() {
  auto* last = process();
  if (last == nullptr)
    return;
  last->deadline.cancel();
  last->stall.cancel();
  child_io io{std::move(*last)};
  const auto pid = last->pid;
  state_ = detached{};
  const auto& options = *config_.options;
  shutdown_sequence::start(
    shared_loop(), pid, std::move(io),
    {options.kill_policy, options.stdin_grace, options.term_grace},
    [this, hold = caf::strong_actor_ptr{ctrl()}] { finish(); });
}

void port_owner_actor::finish() {
  answer_stops();
  caf_version::tell(this, port{this}, port_done{});
}

void port_owner_actor::on_done() {
  answer_stops(); // of those that came behind the end
  quit();
}

void port_owner_actor::answer_stops() {
  for (auto& promise : std::exchange(stop_promises_, {}))
    promise.deliver();
}

} // namespace caf_mcp
