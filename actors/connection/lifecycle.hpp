#pragma once

#include "caf_mcp/actors/connection/answer_outcome.hpp"
#include "caf_mcp/actors/connection/handshake.hpp"
#include "caf_mcp/actors/connection/reconnect_policy.hpp"
#include "caf_mcp/actors/connection/server_requests/server_requests.hpp"
#include "caf_mcp/messages/close_reason.hpp"
#include "caf_mcp/messages/server_options.hpp"
#include "caf_mcp/messages/session_info.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <variant>

namespace caf_mcp {

/// The state of a connection, from its first start to its end, across all
/// processes of its server: when one is started, when the session is agreed on,
/// what follows when the process is gone, and when the connection closes.
/// Decides only: its owner does what is returned, at once and before it calls
/// anything else here. The state has changed by then.
class lifecycle {
public:
  using clock = std::chrono::steady_clock;

  // -- what the owner is to do -----------------------------------------------

  struct nothing {};

  /// Start a process, and report with `on_port_opened` or `on_port_closed`: the
  /// port owner tells one of them in its first turn, or dies. The connection is
  /// connecting now.
  struct start_process {};

  /// Start a process as well, within the same attempt to connect.
  struct restart_process {};

  /// Stop the process. The handshake has failed; why is told once the process
  /// has ended, for its stderr is part of the reason.
  struct stop_process {};

  /// The connection is ready, see `current_session`.
  struct serve {};

  /// The server was lost, and will be started again after this pause.
  struct wait_for_restart {
    close_reason reason;
    std::chrono::milliseconds pause;
  };

  /// The connection is closed for good.
  struct close {
    close_reason reason;
  };

  using step
    = std::variant<nothing, start_process, restart_process,
                   handshake::send_discover, handshake::send_initialize,
                   stop_process, serve, wait_for_restart, close>;

  /// `seed` and `first_pause` are those of the `reconnect_policy`.
  lifecycle(std::shared_ptr<const server_options> options, std::uint32_t seed,
            std::chrono::milliseconds first_pause);

  // -- what callers say ------------------------------------------------------

  /// Somebody needs the server. Starts one if none was started yet.
  step start_if_idle();

  /// Accepts nothing new, and closes when no caller waits any more, or then at
  /// the latest. Of several deadlines the first one holds.
  void drain_until(clock::time_point deadline);

  /// Closes a drained connection, ready or not; `has_callers` says whether a
  /// caller still waits for an answer.
  step close_if_drained(bool has_callers, clock::time_point now);

  /// Closes the connection, unless it is closed.
  step end(close_reason reason);

  // -- what happens to the process -------------------------------------------

  /// The process runs.
  step on_port_opened(std::int64_t pid, clock::time_point now);

  /// The process is gone.
  step on_port_closed(const close_reason& reason, clock::time_point now);

  // -- what the server says during the handshake -----------------------------

  step on_answer(handshake::answer_to which, const answer_outcome& outcome,
                 clock::time_point now);

  /// The server sent an error that names no request. MCP 2026-07-28,
  /// Versioning: while probing, any error means legacy.
  step on_foreign_error(const rpc_error& error, clock::time_point now);

  /// The server sent a request.
  step on_request(std::string_view method, clock::time_point now);

  // -- time ------------------------------------------------------------------

  step on_deadline(clock::time_point now);

  /// Returns when to call `on_deadline` and `close_if_drained`; the end of time
  /// if nothing is to be done then.
  clock::time_point next_deadline() const;

  // -- what is known ---------------------------------------------------------

  connection_state state() const noexcept;

  bool is_idle() const noexcept {
    return std::holds_alternative<idle>(phase_);
  }

  bool is_ready() const noexcept {
    return std::holds_alternative<ready>(phase_);
  }

  bool is_closed() const noexcept {
    return std::holds_alternative<closed>(phase_);
  }

  /// Returns whether a process was started that is not known to be gone.
  bool has_server() const noexcept {
    return is_ready() || std::holds_alternative<connecting>(phase_);
  }

  /// Returns whether the connection closes as soon as no caller waits.
  bool is_draining() const noexcept {
    return drain_deadline_ && !is_closed();
  }

  /// Returns why the connection is closed, or nullptr.
  const close_reason* end_reason() const noexcept;

  /// Returns why nothing new is accepted, or nullptr.
  const close_reason* refusal() const noexcept;

  /// Returns what was agreed on, or nullptr unless the connection is ready.
  const session* current_session() const noexcept;

  /// Returns the state and the session of a connection with so many requests.
  session_info info(std::size_t in_flight) const;

  /// Returns what the server may ask for, by its era as far as it is known.
  server_requests::stage server_stage() const;

  /// Returns the number of the current process, from 1 on; 0 before the first.
  std::uint64_t generation() const noexcept {
    return generation_;
  }

private:
  struct idle {};

  /// A process was started; the handshake is under way as soon as it runs. What
  /// it takes the host to start a process is no time of the server's, and has
  /// no deadline, for the loop is busy with it.
  struct connecting {
    /// Set when the first process of this attempt runs.
    clock::time_point deadline = clock::time_point::max();
    /// Set when the probe is sent.
    clock::time_point probe_deadline = clock::time_point::max();
    /// Set when the handshake has failed, until the process has ended.
    std::optional<close_reason> failure = {};
  };

  struct ready {
    caf_mcp::session session;
  };

  struct waiting {
    clock::time_point start_at;
  };

  struct closed {
    close_reason reason;
  };

  step start();
  step take(handshake::step next, clock::time_point now);
  step lose(const close_reason& reason, clock::time_point now);

  std::shared_ptr<const server_options> options_;
  std::variant<idle, connecting, ready, waiting, closed> phase_;
  handshake handshake_;
  reconnect_policy reconnects_;
  /// A server that never became ready is not started again.
  bool was_ready_ = false;
  std::optional<clock::time_point> drain_deadline_;
  /// Why a connection that drains accepts nothing, and closes.
  close_reason drained_;
  std::uint64_t generation_ = 0;
  std::int64_t pid_ = 0;
};

} // namespace caf_mcp
