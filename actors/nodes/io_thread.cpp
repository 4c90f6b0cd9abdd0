#include "caf_mcp/actors/nodes/io_thread.hpp"

#include <openssl/ssl.h>

#include <csignal>

namespace caf_mcp {

namespace {

/// Ends the thread before the objects that were static earlier.
struct ended_at_exit {
  ~ended_at_exit() {
    thread->end();
  }

  std::shared_ptr<io_thread> thread = std::make_shared<io_thread>();
};

} // namespace

std::shared_ptr<io_thread> io_thread::shared() {
  // What is made later is destroyed earlier: OpenSSL outlives its user.
  static const auto is_tls_ready = ::OPENSSL_init_ssl(0, nullptr);
  static_cast<void>(is_tls_ready);
  static const ended_at_exit only;
  return only.thread;
}

io_thread::io_thread() : context_{1}, work_{context_.get_executor()} {
  // The thread inherits that all signals are blocked: they are the host's.
  sigset_t all;
  sigset_t before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  thread_ = std::thread{[this] { context_.run(); }};
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

io_thread::~io_thread() {
  end();
}

void io_thread::end() {
  if (!thread_.joinable())
    return;
  context_.stop();
  thread_.join();
  // A gate that is closed is held by its handlers until they have run, and
  // holds this.
  context_.restart();
  context_.poll();
}

} // namespace caf_mcp
