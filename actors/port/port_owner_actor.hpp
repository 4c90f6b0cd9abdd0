#pragma once

#include "caf_mcp/actors/loop/pinned_actor.hpp"
#include "caf_mcp/actors/port/child_io.hpp"
#include "caf_mcp/actors/port/input_writer.hpp"
#include "caf_mcp/actors/port/log_forwarder.hpp"
#include "caf_mcp/actors/port/output_reader.hpp"
#include "caf_mcp/actors/port/port_ending.hpp"
#include "caf_mcp/actors/port/port_owner.hpp"

#include <boost/asio/steady_timer.hpp>
#include <caf/typed_event_based_actor.hpp>
#include <caf/typed_response_promise.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

namespace caf_mcp {

/// The actor that `spawn_port_owner` spawns: it connects the descriptors of one
/// process with the classes that decide (`input_writer`, `output_reader`,
/// `log_forwarder`, `port_ending`, and the `shutdown_sequence` that takes over
/// at the end), and tells its listener.
class port_owner_actor final : public pinned_actor<port::base> {
public:
  port_owner_actor(caf::actor_config& cfg, std::shared_ptr<io_loop> loop,
                   port_config config);
  const char* name() const override;
  void on_exit() override;

protected:
  behavior_type make_behavior() override;

private:
  using descriptor = child_io::descriptor;

  /// A process from its start to the beginning of its shutdown sequence.
  struct running_process : child_io {
    running_process(boost::asio::io_context& context, pid_t id)
      : child_io{context}, pid{id}, deadline{context}, stall{context} {
      // nop
    }

    /// Returns how it ended; nothing while it runs.
    std::optional<exit_report> peek() {
      return peek_exit(pid, exit.native_handle());
    }

    pid_t pid;
    /// The end of the wait for the rest of an ending, or for a flush.
    boost::asio::steady_timer deadline;
    /// The next look whether the server has stopped reading.
    boost::asio::steady_timer stall;
  };

  /// There is no process: it was not started yet, or the shutdown sequence has
  /// taken it over.
  struct detached {};

  /// The process is read from and written to.
  struct serving {
    std::unique_ptr<running_process> process;
  };

  /// The listener has asked for the end: what is queued is still written, and
  /// what is read is dropped, so that the server is not held up.
  struct stopping {
    std::unique_ptr<running_process> process;
  };

  /// When the next bytes are written.
  enum class writing : std::uint8_t {
    /// As soon as something is queued.
    idle,
    /// At the end of the loop's turn, all at once.
    planned,
    /// When the pipe is writable.
    blocked,
  };

  /// Returns the process, or null in the state `detached`.
  running_process* process() noexcept;

  bool is_serving() const noexcept {
    return std::holds_alternative<serving>(state_);
  }

  bool is_stopping() const noexcept {
    return std::holds_alternative<stopping>(state_);
  }

  /// Returns a handler for descriptors and timers of the process that calls
  /// `Next`, unless the wait was cancelled or the process is gone meanwhile.
  template <void (port_owner_actor::*Next)()>
  auto then() {
    return [this, hold = caf::strong_actor_ptr{ctrl()}](
             const boost::system::error_code& error) {
      if (!error && process() != nullptr)
        (this->*Next)();
    };
  }

  // -- start ------------------------------------------------------------------

  void open();
  void fail_to_open(close_reason reason);

  // -- writing ----------------------------------------------------------------

  void on_write(const port_write& message);

  /// Tells of requests that could not be encoded, and watches a server for
  /// which too much waits.
  void after_encoding();
  void look_for_stall(input_writer::clock::time_point when);
  void on_stall_look();
  void plan_flush();
  void on_turn_end();
  void flush();
  void wait_until_writable();
  void on_writable();
  void on_stdin_lost();

  // -- reading ----------------------------------------------------------------

  void wait_for_output();
  void on_output();

  /// Lets others of the loop have their turn. What is posted takes turns with
  /// the look at the descriptors.
  void read_on_later();
  void deliver(std::vector<incoming_message> messages);
  void forward_junk();
  void on_output_end();

  // -- the log ----------------------------------------------------------------

  void wait_for_stderr();
  void on_stderr();
  void forward_log();

  // -- the end of the process (port_owner_end.cpp) ----------------------------

  void wait_for_exit();

  /// Asio may tell a descriptor what happened to one that was closed, if both
  /// are of one turn.
  void on_exit_notice();
  void take(port_ending::step step);

  /// The wait for the rest is over: what is there now is all that counts.
  void on_linger_end();

  /// All that the server wrote is among what the pipe holds now; what others of
  /// its group write on does not count.
  void read_rest();

  /// Adds to the reason what the server said last.
  close_reason explain(close_reason reason) const;

  /// Tells the listener and begins the shutdown sequence.
  void close(close_reason reason);
  void close_as_asked();

  // -- stopping ---------------------------------------------------------------

  caf::result<void> on_stop();

  /// Stops the process. Gives what is queued `flush_timeout` to reach the
  /// server; only then it is known which requests did not.
  void begin_stop();
  void begin_shutdown();
  void finish();
  void on_done();
  void answer_stops();

  template <class Message>
  void tell_listener(Message&& message) {
    if (config_.listener)
      caf_version::tell(this, config_.listener, std::forward<Message>(message));
  }

  port_config config_;
  std::variant<detached, serving, stopping> state_;

  input_writer input_;
  writing writing_ = writing::idle;

  output_reader output_;
  /// As many as came last time.
  std::size_t messages_expected_ = 0;

  log_forwarder log_;
  port_ending ending_;
  std::vector<caf::typed_response_promise<void>> stop_promises_;
};

} // namespace caf_mcp
