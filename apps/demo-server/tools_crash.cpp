// A tool that ends the process, in the way that is asked for.
#include "server.hpp"
#include "tools.hpp"

#include <csignal>
#include <unistd.h>

namespace demo {

namespace {

/// Dies by a signal even if it is ignored or blocked by default.
void die_by(int signal) {
  std::signal(signal, SIG_DFL);
  sigset_t mask;
  sigemptyset(&mask);
  sigaddset(&mask, signal);
  sigprocmask(SIG_UNBLOCK, &mask, nullptr);
  std::raise(signal);
}

} // namespace

void call_crash(server& srv, const tool_call& call) {
  const auto status = call.optional_integer("status", {0, 255}).value_or(1);
  const auto signal = call.optional_integer("signal", {1, 64});
  const auto last_words = call.optional_text("stderr");
  // What was answered before still counts; only this call is lost.
  srv.out.flush();
  if (last_words)
    write_all(STDERR_FILENO, std::string{*last_words} + '\n');
  if (signal)
    die_by(static_cast<int>(*signal));
  // Also for a signal that does not kill, such as SIGCHLD.
  ::_exit(static_cast<int>(status));
}

} // namespace demo
