#include "caf_mcp/actors/port/port_owner_actor.hpp"

#include "caf_mcp/actors/port/read_turn.hpp"
#include "caf_mcp/actors/port/server_plan.hpp"

#include <boost/asio/post.hpp>
#include <caf/actor_cast.hpp>

#include <chrono>
#include <string>
#include <utility>

namespace caf_mcp {

port_owner_actor::port_owner_actor(caf::actor_config& cfg,
                                   std::shared_ptr<io_loop> loop,
                                   port_config config)
  : pinned_actor{cfg, std::move(loop)},
    config_{std::move(config)},
    input_{*config_.options},
    output_{*config_.options},
    log_{config_.logs ? log_forwarder::receiver::idle
                      : log_forwarder::receiver::gone} {
  // nop
}

const char* port_owner_actor::name() const {
  return "caf_mcp.port_owner";
}

void port_owner_actor::on_exit() {
  begin_shutdown(); // if the actor was killed, it has not begun yet
  config_.listener = nullptr;
  pinned_actor::on_exit();
}

port_owner_actor::behavior_type port_owner_actor::make_behavior() {
  caf_version::set_exit_handler(
    this, [this](const caf::actor_addr&, const caf::error&) { begin_stop(); });
  link_to(config_.listener);
  open();
  return {
    [this](const port_write& message) { on_write(message); },
    [this](const port_stop&) { return on_stop(); },
    [this](const port_done&) { on_done(); },
  };
}

port_owner_actor::running_process* port_owner_actor::process() noexcept {
  if (auto* state = std::get_if<serving>(&state_))
    return state->process.get();
  if (auto* state = std::get_if<stopping>(&state_))
    return state->process.get();
  return nullptr;
}

// -- start ------------------------------------------------------------------

void port_owner_actor::open() {
  auto plan = plan_start(*config_.options);
  if (auto* reason = std::get_if<close_reason>(&plan)) {
    fail_to_open(std::move(*reason));
    return;
  }
  auto spawned = spawn_child(std::get<spawn_plan>(plan));
  if (auto* reason = std::get_if<close_reason>(&spawned)) {
    fail_to_open(std::move(*reason));
    return;
  }
  auto& child = std::get<child_process>(spawned);
  auto started = std::make_unique<running_process>(loop().context(), child.pid);
  if (auto error = started->adopt(child)) {
    kill_and_reap(child.pid);
    fail_to_open(failed_to_spawn("watching the process", error.value()));
    return;
  }
  tell_listener(port_opened{config_.generation, child.pid});
  state_ = serving{std::move(started)};
  wait_for_exit();
  wait_for_output();
  wait_for_stderr();
}

void port_owner_actor::fail_to_open(close_reason reason) {
  tell_listener(port_closed{config_.generation, std::move(reason), 0, {}});
  finish();
}

// -- writing ----------------------------------------------------------------

void port_owner_actor::on_write(const port_write& message) {
  if (!is_serving())
    return;
  input_.push(message);
  after_encoding();
  plan_flush();
}

void port_owner_actor::after_encoding() {
  if (auto refused = input_.take_refused(); !refused.empty()) {
    port_received answers{config_.generation, {}};
    for (auto& each : refused)
      answers.messages.emplace_back(std::move(each));
    tell_listener(std::move(answers));
  }
  if (auto look_at = input_.watch())
    look_for_stall(*look_at);
}

void port_owner_actor::look_for_stall(input_writer::clock::time_point when) {
  auto& timer = process()->stall;
  timer.expires_at(when);
  timer.async_wait(then<&port_owner_actor::on_stall_look>());
}

void port_owner_actor::on_stall_look() {
  flush(); // the notice that there is room may be late
  if (!is_serving() || !input_.is_watching())
    return;
  if (!input_.has_stalled()) {
    look_for_stall(input_.next_look());
    return;
  }
  close_reason reason;
  reason.cause = close_cause::write_queue_full;
  reason.number
    = static_cast<std::int64_t>(config_.options->max_unwritten_bytes);
  close(std::move(reason));
}

void port_owner_actor::plan_flush() {
  if (writing_ != writing::idle)
    return;
  writing_ = writing::planned;
  loop().at_turn_end([this] { on_turn_end(); }, caf::strong_actor_ptr{ctrl()});
}

void port_owner_actor::on_turn_end() {
  if (writing_ != writing::planned)
    return;
  writing_ = writing::idle;
  flush();
}

void port_owner_actor::flush() {
  auto* to = process();
  if (to == nullptr || !to->in.is_open())
    return;
  const auto result = input_.write(to->in.native_handle());
  if (input_.is_watching()) // else nothing waited to be encoded
    after_encoding();
  switch (result) {
    case input_writer::state::drained:
      if (is_stopping())
        close_as_asked();
      return;
    case input_writer::state::waiting:
      wait_until_writable();
      return;
    case input_writer::state::lost:
      on_stdin_lost();
      return;
  }
}

void port_owner_actor::wait_until_writable() {
  if (std::exchange(writing_, writing::blocked) != writing::blocked)
    process()->in.async_wait(descriptor::wait_write,
                             then<&port_owner_actor::on_writable>());
}

void port_owner_actor::on_writable() {
  writing_ = writing::idle;
  flush();
}

void port_owner_actor::on_stdin_lost() {
  boost::system::error_code ignored;
  process()->in.close(ignored);
  if (is_stopping())
    close_as_asked();
  else
    take(ending_.on_input_lost());
}

// -- reading ----------------------------------------------------------------

void port_owner_actor::wait_for_output() {
  process()->out.async_wait(descriptor::wait_read,
                            then<&port_owner_actor::on_output>());
}

void port_owner_actor::on_output() {
  std::vector<incoming_message> messages;
  messages.reserve(messages_expected_);
  read_turn turn;
  const auto result
    = output_.read(process()->out.native_handle(), messages, turn);
  messages_expected_ = messages.size();
  forward_junk();
  deliver(std::move(messages));
  if (output_.fatal() && is_serving())
    close(*output_.fatal());
  else if (result == output_reader::state::ended)
    on_output_end();
  else if (result == output_reader::state::full)
    read_on_later();
  else
    wait_for_output();
}

void port_owner_actor::read_on_later() {
  boost::asio::post(loop().context(),
                    [this, hold = caf::strong_actor_ptr{ctrl()}] {
                      if (process() != nullptr && process()->out.is_open())
                        on_output();
                    });
}

void port_owner_actor::deliver(std::vector<incoming_message> messages) {
  if (!messages.empty() && is_serving())
    tell_listener(port_received{config_.generation, std::move(messages)});
}

void port_owner_actor::forward_junk() {
  if (auto junk = output_.take_junk(); !junk.empty()) {
    log_.add_junk(std::move(junk));
    forward_log();
  }
}

void port_owner_actor::on_output_end() {
  boost::system::error_code ignored;
  process()->out.close(ignored);
  take(ending_.on_output_end());
}

// -- the log ----------------------------------------------------------------

void port_owner_actor::wait_for_stderr() {
  if (process()->err.is_open())
    process()->err.async_wait(descriptor::wait_read,
                              then<&port_owner_actor::on_stderr>());
}

void port_owner_actor::on_stderr() {
  auto& err = process()->err;
  if (log_.read_stderr(err.native_handle())) {
    wait_for_stderr();
  } else {
    boost::system::error_code ignored;
    err.close(ignored);
    log_.end_stderr();
  }
  forward_log();
}

void port_owner_actor::forward_log() {
  auto batch = log_.next();
  if (!batch)
    return;
  auto on_answer = [this] {
    log_.on_answer();
    forward_log();
  };
  caf_version::ask(*this, config_.logs, caf::infinite, std::move(*batch))
    .then(on_answer, [this](const caf::error&) { log_.on_lost(); });
}

port spawn_port_owner(caf::actor_system& system,
                      const std::shared_ptr<io_loop>& loop,
                      port_config config) {
  return spawn_pinned<port_owner_actor>(system, loop, std::move(config));
}

} // namespace caf_mcp
