#pragma once

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>

#include <memory>
#include <thread>

namespace caf_mcp {

/// The thread of this process that makes connections to nodes, and takes those
/// of others, up to the moment when the other side has proved who it is. It
/// never blocks.
class io_thread {
public:
  /// Returns the one of this process. It is started by the first call, and
  /// ended at the exit of the process, while OpenSSL can still be used.
  static std::shared_ptr<io_thread> shared();

  io_thread();

  io_thread(const io_thread&) = delete;
  io_thread& operator=(const io_thread&) = delete;

  /// As `end`.
  ~io_thread();

  /// Waits for the thread to end; what waits in it never comes. Not to be
  /// called in the thread.
  void end();

  boost::asio::io_context& context() noexcept {
    return context_;
  }

private:
  boost::asio::io_context context_;
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type>
    work_;
  std::thread thread_;
};

} // namespace caf_mcp
