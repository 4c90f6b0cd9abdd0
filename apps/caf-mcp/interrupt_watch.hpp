#pragma once

#include "exit_status.hpp"

#include <atomic>
#include <csignal>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>

namespace caf_mcp::tool {

/// SIGINT, SIGTERM and SIGHUP, blocked in the thread that makes this, and in
/// all threads it starts from then on, until somebody waits for them. Make it
/// before anything else. One that is ignored, as under `nohup`, stays ignored.
/// Writes to closed pipes fail from then on.
class interrupt_signals {
public:
  interrupt_signals();

  /// Lets each end the process at once, with the status of an interrupt.
  void release() const;

  const sigset_t& set() const noexcept {
    return set_;
  }

private:
  sigset_t set_{};
};

/// What a run of the tool is to signals.
enum class run_kind : std::uint8_t {
  /// All three end it.
  command,
  /// Goes on until SIGTERM, which is no failure, or SIGINT; SIGHUP has it read
  /// its configuration anew.
  service,
};

/// Waits for interrupts in a thread of its own.
///
/// At first they end the process at once: nothing is to be shut down yet, and a
/// slow disk must not hold it. After `expect_servers`, the first interrupt is
/// handled by whoever has an `interrupt_scope`, and the servers are shut down;
/// a second one kills them, and ends the process. One that comes after this is
/// gone ends the process at once.
class interrupt_watch {
public:
  interrupt_watch(const interrupt_signals& signals, run_kind kind);

  interrupt_watch(const interrupt_watch&) = delete;
  interrupt_watch& operator=(const interrupt_watch&) = delete;

  ~interrupt_watch();

  /// From now on there may be servers.
  void expect_servers();

  bool was_interrupted() const noexcept {
    return signal_ != 0;
  }

  /// Returns how the process ends after the interrupt that came first.
  exit_status status() const noexcept;

private:
  friend class interrupt_scope;

  void attach(std::function<void()> on_interrupt,
              std::function<void()> on_hangup);
  void detach();
  void run();
  void take(int signal);
  void take_hangup();
  void take_interrupt(int signal);

  const interrupt_signals& signals_;
  const run_kind kind_;
  std::atomic<int> signal_ = 0;
  std::atomic<bool> is_over_ = false;
  /// Held while a handler runs.
  std::mutex mutex_;
  bool has_servers_ = false;
  bool is_hung_up_ = false;
  std::function<void()> on_interrupt_;
  std::function<void()> on_hangup_;
  /// The last member: it uses the others.
  std::thread thread_;
};

/// Handles the signals of a watch as long as it lives, and those that came
/// before it.
class interrupt_scope {
public:
  /// `on_interrupt` is called once. `on_hangup` is called for each SIGHUP to a
  /// service. Both in the thread of the watch, or here.
  interrupt_scope(interrupt_watch& watch, std::function<void()> on_interrupt,
                  std::function<void()> on_hangup = nullptr);

  interrupt_scope(const interrupt_scope&) = delete;
  interrupt_scope& operator=(const interrupt_scope&) = delete;

  /// Waits for a handler that runs.
  ~interrupt_scope();

private:
  interrupt_watch& watch_;
};

} // namespace caf_mcp::tool
