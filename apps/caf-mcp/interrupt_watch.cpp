#include "interrupt_watch.hpp"

#include "caf_mcp/actors/port/live_children.hpp"

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

interrupt_signals::interrupt_signals() {
  ::sigemptyset(&set_);
  for (auto signal : {SIGINT, SIGTERM, SIGHUP})
    if (!is_ignored(signal))
      ::sigaddset(&set_, signal);
  ::sigaddset(&set_, wake_signal());
  ::pthread_sigmask(SIG_BLOCK, &set_, nullptr);
  struct sigaction action {};
  action.sa_handler = end_at_once;
  for (auto signal : {SIGINT, SIGTERM, SIGHUP})
    if (!is_ignored(signal))
      ::sigaction(signal, &action, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
}

void interrupt_signals::release() const {
  ::pthread_sigmask(SIG_UNBLOCK, &set_, nullptr);
}

interrupt_watch::interrupt_watch(const interrupt_signals& signals,
                                 run_kind kind)
  : signals_{signals}, kind_{kind}, thread_{[this] { run(); }} {
  // nop
}

interrupt_watch::~interrupt_watch() {
  is_over_ = true;
  ::pthread_kill(thread_.native_handle(), wake_signal());
  thread_.join();
  signals_.release();
}

void interrupt_watch::expect_servers() {
  const std::lock_guard guard{mutex_};
  has_servers_ = true;
}

exit_status interrupt_watch::status() const noexcept {
  return kind_ == run_kind::service && signal_ == SIGTERM
           ? exit_status::done
           : exit_status::interrupted;
}

void interrupt_watch::attach(std::function<void()> on_interrupt,
                             std::function<void()> on_hangup) {
  const std::lock_guard guard{mutex_};
  on_interrupt_ = std::move(on_interrupt);
  on_hangup_ = std::move(on_hangup);
  if (std::exchange(is_hung_up_, false) && on_hangup_)
    on_hangup_();
  if (was_interrupted())
    on_interrupt_();
}

void interrupt_watch::detach() {
  const std::lock_guard guard{mutex_};
  on_interrupt_ = nullptr;
  on_hangup_ = nullptr;
}

void interrupt_watch::run() {
  for (;;) {
    auto signal = 0;
    ::sigwait(&signals_.set(), &signal);
    if (is_over_)
      return;
    if (signal != wake_signal())
      take(signal);
  }
}

void interrupt_watch::take(int signal) {
  const std::lock_guard guard{mutex_};
  if (signal == SIGHUP && kind_ == run_kind::service)
    take_hangup();
  else
    take_interrupt(signal);
}

void interrupt_watch::take_hangup() {
  if (on_hangup_)
    on_hangup_();
  else
    is_hung_up_ = true;
}

void interrupt_watch::take_interrupt(int signal) {
  const auto is_first = !was_interrupted();
  if (is_first)
    signal_ = signal;
  if (!has_servers_ || !is_first) {
    live_children::of_process().kill_all();
    ::_exit(static_cast<int>(status()));
  }
  if (on_interrupt_)
    on_interrupt_();
}

interrupt_scope::interrupt_scope(interrupt_watch& watch,
                                 std::function<void()> on_interrupt,
                                 std::function<void()> on_hangup)
  : watch_{watch} {
  watch_.attach(std::move(on_interrupt), std::move(on_hangup));
}

interrupt_scope::~interrupt_scope() {
  watch_.detach();
}

} // namespace caf_mcp::tool
