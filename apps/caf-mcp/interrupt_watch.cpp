#include "interrupt_watch.hpp"

#include "exit_status.hpp"

#include <unistd.h>
#include <utility>

namespace caf_mcp::tool {

namespace {

/// Wakes the thread at the end; nobody else has a use for it here.
int wake_signal() {
  return SIGRTMIN;
}

bool is_ignored(int signal) {
  struct sigaction action {};
  ::sigaction(signal, nullptr, &action);
  return action.sa_handler == SIG_IGN;
}

void end_at_once(int) {
  ::_exit(static_cast<int>(exit_status::interrupted));
}

} // namespace

void end_at_interrupts() {
  struct sigaction action {};
  action.sa_handler = end_at_once;
  for (auto signal : {SIGINT, SIGTERM, SIGHUP})
    if (!is_ignored(signal))
      ::sigaction(signal, &action, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
}

interrupt_signals::interrupt_signals() {
  ::sigemptyset(&set_);
  for (auto signal : {SIGINT, SIGTERM, SIGHUP})
    if (!is_ignored(signal))
      ::sigaddset(&set_, signal);
  ::sigaddset(&set_, wake_signal());
  ::pthread_sigmask(SIG_BLOCK, &set_, nullptr);
}

interrupt_watch::interrupt_watch(const interrupt_signals& signals,
                                 std::function<void()> on_interrupt,
                                 std::function<void()> on_hangup)
  : set_{signals.set()},
    on_interrupt_{std::move(on_interrupt)},
    on_hangup_{std::move(on_hangup)},
    thread_{[this] { run(); }} {
  // nop
}

interrupt_watch::~interrupt_watch() {
  is_over_ = true;
  ::pthread_kill(thread_.native_handle(), wake_signal());
  thread_.join();
  // Nobody waits for them any more: let them end the process.
  ::pthread_sigmask(SIG_UNBLOCK, &set_, nullptr);
}

void interrupt_watch::run() {
  for (;;) {
    auto signal = 0;
    ::sigwait(&set_, &signal);
    if (is_over_)
      return;
    if (signal == wake_signal())
      continue;
    if (signal == SIGHUP && on_hangup_) {
      on_hangup_();
      continue;
    }
    if (was_interrupted())
      ::_exit(static_cast<int>(exit_status::interrupted));
    signal_ = signal;
    on_interrupt_();
  }
}

} // namespace caf_mcp::tool
