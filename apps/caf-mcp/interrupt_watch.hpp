#pragma once

#include <atomic>
#include <csignal>
#include <functional>
#include <thread>

namespace caf_mcp::tool {

/// The signals that interrupt the tool, blocked in the thread that makes this,
/// and in all threads it starts from then on. Make it before any other thread.
class interrupt_signals {
public:
  /// Takes SIGINT, SIGTERM and SIGHUP; one that is ignored, as under `nohup`,
  /// stays ignored. Writes to closed pipes fail instead of raising SIGPIPE.
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
                  std::function<void()> on_interrupt);

  interrupt_watch(const interrupt_watch&) = delete;
  interrupt_watch& operator=(const interrupt_watch&) = delete;

  ~interrupt_watch();

  bool was_interrupted() const noexcept {
    return was_interrupted_;
  }

private:
  void run();

  sigset_t set_;
  std::function<void()> on_interrupt_;
  std::atomic<bool> was_interrupted_ = false;
  std::atomic<bool> is_over_ = false;
  std::thread thread_;
};

} // namespace caf_mcp::tool
