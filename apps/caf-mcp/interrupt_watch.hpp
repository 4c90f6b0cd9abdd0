#pragma once

#include <atomic>
#include <csignal>
#include <functional>
#include <thread>
#include <utility>

namespace caf_mcp::tool {

/// Makes SIGINT, SIGTERM and SIGHUP end the process at once with the status of
/// an interrupt, until `interrupt_signals` blocks them: there is nothing to
/// shut down yet, and a slow disk must not hold it. One that is ignored, as
/// under `nohup`, stays ignored. Writes to closed pipes fail from then on.
void end_at_interrupts();

/// The signals that interrupt the tool, blocked in the thread that makes this,
/// and in all threads it starts from then on. Make it before any other thread.
class interrupt_signals {
public:
  /// Takes SIGINT, SIGTERM and SIGHUP; one that is ignored, as under `nohup`,
  /// stays ignored.
  interrupt_signals();

  const sigset_t& set() const noexcept {
    return set_;
  }

private:
  sigset_t set_{};
};

/// Waits for an interrupt in a thread of its own. A second one ends the process
/// at once, and so does one that comes after this is gone.
class interrupt_watch {
public:
  /// Calls `on_interrupt` in that thread, once.
  interrupt_watch(const interrupt_signals& signals,
                  std::function<void()> on_interrupt)
    : interrupt_watch{signals, std::move(on_interrupt), nullptr} {
    // nop
  }

  /// SIGHUP calls `on_hangup`, each time, and interrupts nothing.
  interrupt_watch(const interrupt_signals& signals,
                  std::function<void()> on_interrupt,
                  std::function<void()> on_hangup);

  interrupt_watch(const interrupt_watch&) = delete;
  interrupt_watch& operator=(const interrupt_watch&) = delete;

  ~interrupt_watch();

  bool was_interrupted() const noexcept {
    return signal_ != 0;
  }

  /// Returns the signal that came first; 0 if none did.
  int signal() const noexcept {
    return signal_;
  }

private:
  void run();

  sigset_t set_;
  std::function<void()> on_interrupt_;
  std::function<void()> on_hangup_;
  std::atomic<int> signal_ = 0;
  std::atomic<bool> is_over_ = false;
  std::thread thread_;
};

} // namespace caf_mcp::tool
