#pragma once

#include <csignal>
#include <system_error>
#include <thread>
#include <utility>

namespace caf_mcp {

/// Runs `work` in a thread that nobody waits for. Returns an errno, or 0.
template <class Work>
int run_in_background(Work work) {
  // Signals are for the threads of the host.
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  auto result = 0;
  try {
    std::thread{std::move(work)}.detach();
  } catch (const std::system_error& error) {
    result = error.code().value();
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return result;
}

} // namespace caf_mcp
