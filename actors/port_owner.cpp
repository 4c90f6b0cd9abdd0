#include "caf_mcp/actors/port_owner.hpp"

#include "caf_mcp/actors/io/child_process.hpp"
#include "caf_mcp/actors/io/find_executable.hpp"
#include "caf_mcp/actors/io/pinned_actor.hpp"
#include "caf_mcp/actors/io/shutdown_sequence.hpp"
#include "caf_mcp/actors/state/inbound_stream.hpp"
#include "caf_mcp/actors/state/output_queue.hpp"
#include "caf_mcp/actors/state/stderr_log.hpp"
#include "caf_mcp/actors/state/write_queue.hpp"
#include "caf_mcp/messages/environment.hpp"

#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <caf/actor_cast.hpp>
#include <caf/typed_event_based_actor.hpp>
#include <caf/typed_response_promise.hpp>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

extern char** environ;

namespace caf_mcp {

namespace {

using descriptor = boost::asio::posix::stream_descriptor;

/// Bytes read at once.
constexpr std::size_t read_bytes_min = 64 * 1024;

/// Reads in a row before other descriptors of the loop get their turn.
constexpr int reads_per_turn = 16;

/// Messages passed on at once, so that their receivers begin while others are
/// still decoded.
constexpr std::size_t burst_max = 64;

/// How long the rest of an ending is waited for: for the output after the exit,
/// which a grandchild may keep open, or for the exit after the end of a pipe.
constexpr std::chrono::milliseconds settle_time{200};

constexpr std::int64_t rpc_internal_error = -32603; // JSON-RPC 2.0, 5.1

environment_block host_environment() {
  environment_block result;
  for (auto** variable = environ; *variable != nullptr; ++variable)
    result.emplace_back(*variable);
  return result;
}

/// Prepares a process; or says why it cannot be started.
std::variant<spawn_plan, close_reason>
make_plan(const server_options& options) {
  spawn_plan plan;
  plan.environment = server_environment(host_environment(), options);
  auto path = find_variable(plan.environment, "PATH").value_or("");
  auto found = find_executable(options.command, path);
  if (auto* reason = std::get_if<close_reason>(&found))
    return std::move(*reason);
  plan.executable = std::get<std::string>(std::move(found));
  plan.args = options.args;
  plan.cd = options.cd;
  plan.stderr_to = options.stderr_to.kind;
  plan.stderr_file = options.stderr_to.file;
  plan.on_host_death = options.on_host_death;
  return plan;
}

class port_owner_actor final : public pinned_actor<port::base> {
public:
  port_owner_actor(caf::actor_config& cfg, std::shared_ptr<io_loop> loop,
                   port_config config)
    : pinned_actor{cfg, std::move(loop)},
      config_{std::move(config)},
      inbound_{*config_.options} {
    // nop
  }

  const char* name() const override {
    return "caf_mcp.port_owner";
  }

  void on_exit() override {
    begin_shutdown(); // if the actor was killed, it has not begun yet
    config_.listener = nullptr;
    pinned_actor::on_exit();
  }

protected:
  behavior_type make_behavior() override {
    caf_version::set_exit_handler(
      this,
      [this](const caf::actor_addr&, const caf::error&) { begin_stop(); });
    link_to(config_.listener);
    open();
    return {
      [this](const port_write& message) { on_write(message); },
      [this](const port_stop&) { return on_stop(); },
      [this](const port_done&) { on_done(); },
    };
  }

private:
  /// The descriptors as Asio sees them.
  struct pipes {
    pipes(boost::asio::io_context& context, child_process& child)
      : in{context, child.stdin_pipe.release()},
        out{context, child.stdout_pipe.release()},
        exit{context, child.exit.release()},
        err{context},
        settle{context} {
      if (child.stderr_pipe)
        err.assign(child.stderr_pipe.release());
    }

    /// Gives the descriptors back.
    void release_to(child_process& child) {
      settle.cancel();
      child.stdin_pipe = unique_fd{in.is_open() ? in.release() : -1};
      child.stdout_pipe = unique_fd{out.is_open() ? out.release() : -1};
      child.exit = unique_fd{exit.release()};
      child.stderr_pipe = unique_fd{err.is_open() ? err.release() : -1};
    }

    descriptor in;
    descriptor out;
    descriptor exit;
    descriptor err;
    boost::asio::steady_timer settle;
  };

  // -- start ------------------------------------------------------------------

  void open() {
    auto plan = make_plan(*config_.options);
    if (auto* reason = std::get_if<close_reason>(&plan)) {
      fail_to_open(std::move(*reason));
      return;
    }
    auto spawned = spawn_child(std::get<spawn_plan>(plan));
    if (auto* reason = std::get_if<close_reason>(&spawned)) {
      fail_to_open(std::move(*reason));
      return;
    }
    child_ = std::get<child_process>(std::move(spawned));
    pipes_.emplace(loop().context(), *child_);
    tell_listener(port_opened{config_.generation, child_->pid});
    wait_for_exit();
    wait_for_output();
    wait_for_stderr();
  }

  void fail_to_open(close_reason reason) {
    tell_listener(port_closed{config_.generation, std::move(reason), 0, {}});
    finish();
  }

  // -- writing ----------------------------------------------------------------

  void on_write(const port_write& message) {
    for (const auto& each : message.messages)
      enqueue_line(each);
  }

  void enqueue_line(const outgoing_message& message) {
    if (!pipes_ || is_stopping_)
      return;
    ++messages_taken_;
    const auto bytes_max = config_.options->max_unwritten_bytes;
    auto result = queue_.push(message, bytes_max);
    if (result != push_result::queued) {
      refuse(message, explain(result, bytes_max));
      return;
    }
    if (queue_.size() > bytes_max) {
      flush(); // the last chance for the server to prove that it reads
      if (queue_.size() > bytes_max) {
        close_reason reason;
        reason.cause = close_cause::write_queue_full;
        reason.number = static_cast<std::int64_t>(bytes_max);
        close(std::move(reason));
        return;
      }
    }
    plan_flush();
  }

  void plan_flush() {
    if (!std::exchange(flush_planned_, true))
      loop().at_turn_end([this, hold = caf::strong_actor_ptr{ctrl()}] {
        flush_planned_ = false;
        flush();
      });
  }

  /// Fails a request that cannot be written, and the server's request whose
  /// answer cannot. Notifications are checked by the connection.
  void refuse(const outgoing_message& message, const refusal& why) {
    if (const auto* request = std::get_if<outgoing_request>(&message)) {
      port_received answer{config_.generation, {}};
      answer.messages.emplace_back(
        undecodable_message{request->id, why.code, "params: " + why.detail});
      tell_listener(std::move(answer));
    } else if (const auto* response
               = std::get_if<outgoing_response>(&message)) {
      rpc_error error{rpc_internal_error, "result: " + why.detail, {}};
      queue_.push(outgoing_response{response->id_json, std::move(error)},
                  config_.options->max_unwritten_bytes);
      plan_flush();
    }
  }

  void flush() {
    if (!pipes_ || write_blocked_ || !pipes_->in.is_open())
      return;
    while (!queue_.empty()) {
      auto bytes = queue_.view();
      auto count
        = ::write(pipes_->in.native_handle(), bytes.data(), bytes.size());
      if (count >= 0) {
        queue_.written(static_cast<std::size_t>(count));
      } else if (errno == EAGAIN) {
        wait_until_writable();
        return;
      } else if (errno != EINTR) {
        on_stdin_lost();
        return;
      }
    }
    if (is_stopping_)
      close(close_reason{});
  }

  void wait_until_writable() {
    write_blocked_ = true;
    pipes_->in.async_wait(descriptor::wait_write,
                          [this, hold = caf::strong_actor_ptr{ctrl()}](
                            const boost::system::error_code& error) {
                            write_blocked_ = false;
                            if (!error)
                              flush();
                          });
  }

  void on_stdin_lost() {
    boost::system::error_code ignored;
    pipes_->in.close(ignored);
    if (is_stopping_)
      close(close_reason{});
    else
      settle(close_cause::server_closed_stdin);
  }

  // -- reading ----------------------------------------------------------------

  void wait_for_output() {
    pipes_->out.async_wait(descriptor::wait_read,
                           [this, hold = caf::strong_actor_ptr{ctrl()}](
                             const boost::system::error_code& error) {
                             if (!error)
                               on_output();
                           });
  }

  void on_output() {
    if (!pipes_)
      return;
    port_received received{config_.generation, {}};
    received.messages.reserve(messages_expected_);
    auto state = read_output(received.messages);
    if (state == pipe_state::ended)
      inbound_.finish(received.messages);
    messages_expected_ = received.messages.size();
    deliver(std::move(received));
    if (judgement_ && !is_stopping_)
      close(std::move(*judgement_));
    else if (state == pipe_state::ended)
      on_output_end();
    else if (state == pipe_state::full)
      boost::asio::post(loop().context(),
                        [this, hold = caf::strong_actor_ptr{ctrl()}] {
                          if (pipes_ && pipes_->out.is_open())
                            on_output();
                        });
    else
      wait_for_output();
  }

  /// What comes once the listener has asked for the end is read, so that the
  /// server is not held up, and dropped.
  void deliver(port_received received) {
    if (!received.messages.empty() && !is_stopping_)
      tell_listener(std::move(received));
  }

  enum class pipe_state {
    open,
    ended,
    /// As many messages were read as go in one burst; there may be more.
    full,
  };

  pipe_state read_output(std::vector<incoming_message>& out) {
    auto is_empty = false;
    for (auto reads = 0;; ++reads) {
      if (take_messages(out))
        return pipe_state::full;
      if (judgement_ || is_empty || reads == reads_per_turn)
        return pipe_state::open;
      auto* room = inbound_.prepare(read_bytes_min);
      const auto room_bytes = inbound_.room();
      const auto count = ::read(pipes_->out.native_handle(), room, room_bytes);
      if (count < 0 && errno == EINTR)
        continue;
      if (count < 0)
        return errno == EAGAIN ? pipe_state::open : pipe_state::ended;
      if (count == 0)
        return pipe_state::ended;
      inbound_.commit(static_cast<std::size_t>(count));
      is_empty = static_cast<std::size_t>(count) < room_bytes;
    }
  }

  /// Takes the messages that were read. Returns whether that makes a burst.
  bool take_messages(std::vector<incoming_message>& out) {
    judgement_ = inbound_.read(out, burst_max);
    if (auto junk = inbound_.take_junk(); config_.logs && !junk.empty()) {
      output_.add_junk(std::move(junk));
      send_output();
    }
    return !judgement_ && out.size() >= burst_max;
  }

  void on_output_end() {
    boost::system::error_code ignored;
    pipes_->out.close(ignored);
    settle(close_cause::server_closed_stdout);
  }

  void wait_for_stderr() {
    if (!pipes_->err.is_open())
      return;
    pipes_->err.async_wait(descriptor::wait_read,
                           [this, hold = caf::strong_actor_ptr{ctrl()}](
                             const boost::system::error_code& error) {
                             if (!error && pipes_)
                               on_stderr();
                           });
  }

  void on_stderr() {
    if (read_stderr() == pipe_state::open) {
      wait_for_stderr();
      return;
    }
    boost::system::error_code ignored;
    pipes_->err.close(ignored);
    log(stderr_.finish());
  }

  /// Reads what is there, but not for ever from a server that floods.
  pipe_state read_stderr() {
    std::array<char, 16 * 1024> bytes;
    for (auto i = 0; i < reads_per_turn; ++i) {
      auto count
        = ::read(pipes_->err.native_handle(), bytes.data(), bytes.size());
      if (count < 0 && errno == EINTR)
        continue;
      if (count < 0)
        return errno == EAGAIN ? pipe_state::open : pipe_state::ended;
      if (count == 0)
        return pipe_state::ended;
      log(stderr_.write({bytes.data(), static_cast<std::size_t>(count)}));
    }
    return pipe_state::open;
  }

  void log(std::vector<std::string> stderr_lines) {
    if (!config_.logs)
      return;
    output_.add_stderr(std::move(stderr_lines));
    send_output();
  }

  void send_output() {
    if (output_.empty() || std::exchange(output_is_under_way_, true))
      return;
    auto next = [this] {
      output_is_under_way_ = false;
      send_output();
    };
    caf_version::ask(*this, config_.logs, caf::infinite, output_.take())
      .then(next, [this](const caf::error&) { config_.logs = nullptr; });
  }

  /// The last words do not wait for the log actor.
  void finish_log() {
    if (config_.logs && !output_.empty())
      caf_version::tell(this, config_.logs, output_.take());
  }

  // -- the end of the process -------------------------------------------------

  void wait_for_exit() {
    pipes_->exit.async_wait(descriptor::wait_read,
                            [this, hold = caf::strong_actor_ptr{ctrl()}](
                              const boost::system::error_code& error) {
                              if (!error && pipes_)
                                on_process_exit();
                            });
  }

  void on_process_exit() {
    exit_ = peek_exit(child_->pid);
    settle(exit_ ? exit_->cause : close_cause::internal_error);
  }

  /// Something ended; waits a little for the rest, so that the reason is the
  /// true one and nothing the server wrote is lost.
  void settle(close_cause cause) {
    if (!ending_)
      ending_ = cause;
    if (exit_ && !pipes_->out.is_open()) {
      close(ending_reason());
      return;
    }
    if (std::exchange(settling_, true))
      return;
    pipes_->settle.expires_after(settle_time);
    pipes_->settle.async_wait([this, hold = caf::strong_actor_ptr{ctrl()}](
                                const boost::system::error_code& error) {
      if (!error && pipes_)
        on_settled();
    });
  }

  /// The wait is over: what is there now is all that counts.
  void on_settled() {
    if (!exit_)
      exit_ = peek_exit(child_->pid); // on a busy machine its notice is late
    if (exit_ && pipes_->out.is_open())
      read_rest();
    close(ending_reason());
  }

  void read_rest() {
    auto state = pipe_state::full;
    while (state == pipe_state::full) {
      port_received last{config_.generation, {}};
      state = read_output(last.messages);
      if (state != pipe_state::full)
        inbound_.finish(last.messages);
      deliver(std::move(last));
    }
  }

  close_reason ending_reason() {
    close_reason reason;
    reason.cause = *ending_;
    if (exit_) {
      reason.cause = exit_->cause;
      reason.number = exit_->number;
    }
    return reason;
  }

  /// Tells the listener and begins the shutdown sequence.
  void close(close_reason reason) {
    if (pipes_->err.is_open()) {
      read_stderr();
      log(stderr_.finish());
    }
    finish_log();
    reason.stderr_tail = stderr_.tail();
    // A judgement quotes what it is about.
    if (auto seen = inbound_.diagnosis(); !seen.empty() && !judgement_) {
      if (!reason.detail.empty())
        reason.detail += "; ";
      reason.detail += seen;
    }
    tell_listener(port_closed{config_.generation, std::move(reason),
                              messages_taken_, queue_.unsent()});
    begin_shutdown();
  }

  // -- stopping ---------------------------------------------------------------

  caf::result<void> on_stop() {
    auto promise = make_response_promise<void>();
    stop_promises_.push_back(promise);
    begin_stop();
    return promise;
  }

  /// Stops the process. Gives what is queued `flush_timeout` to reach the
  /// server; only then it is known which requests did not.
  void begin_stop() {
    if (!pipes_ || is_stopping_)
      return;
    is_stopping_ = true;
    flush(); // closes once nothing is left
    if (!pipes_)
      return;
    if (ending_) {
      close(close_reason{});
      return;
    }
    pipes_->settle.expires_after(config_.options->flush_timeout);
    pipes_->settle.async_wait([this, hold = caf::strong_actor_ptr{ctrl()}](
                                const boost::system::error_code& error) {
      if (!error && pipes_)
        close(close_reason{});
    });
  }

  stop_ladder ladder() const {
    return {config_.options->kill_policy, config_.options->stdin_grace,
            config_.options->term_grace};
  }

  void begin_shutdown() {
    if (!child_ || !pipes_)
      return;
    pipes_->release_to(*child_);
    pipes_.reset();
    shutdown_sequence::start(
      shared_loop(), std::move(*child_), ladder(),
      [this, hold = caf::strong_actor_ptr{ctrl()}] { finish(); });
    child_.reset();
  }

  void finish() {
    answer_stops();
    caf_version::tell(this, port{this}, port_done{});
  }

  void on_done() {
    answer_stops(); // of those that came behind the end
    quit();
  }

  void answer_stops() {
    for (auto& promise : std::exchange(stop_promises_, {}))
      promise.deliver();
  }

  template <class Message>
  void tell_listener(Message&& message) {
    if (config_.listener)
      caf_version::tell(this, config_.listener, std::forward<Message>(message));
  }

  port_config config_;

  /// Set from the start of the process to that of the shutdown sequence.
  std::optional<child_process> child_;
  std::optional<pipes> pipes_;

  write_queue queue_;
  std::uint64_t messages_taken_ = 0;
  bool flush_planned_ = false;
  bool write_blocked_ = false;
  /// Whether the listener has asked for the end.
  bool is_stopping_ = false;

  inbound_stream inbound_;
  /// As many as came last time.
  std::size_t messages_expected_ = 0;
  std::optional<close_reason> judgement_;
  stderr_log stderr_;
  output_queue output_;
  bool output_is_under_way_ = false;

  /// What ended first, once something has.
  std::optional<close_cause> ending_;
  std::optional<exit_report> exit_;
  bool settling_ = false;

  std::vector<caf::typed_response_promise<void>> stop_promises_;
};

} // namespace

port spawn_port_owner(caf::actor_system& system,
                      const std::shared_ptr<io_loop>& loop,
                      port_config config) {
  return spawn_pinned<port_owner_actor>(system, loop, std::move(config));
}

} // namespace caf_mcp
