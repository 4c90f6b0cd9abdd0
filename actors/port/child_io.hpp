#pragma once

#include "caf_mcp/actors/port/child_process.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/system/error_code.hpp>

namespace caf_mcp {

/// The descriptors of a child, registered with a loop. They move from the
/// actor that uses them to the shutdown sequence as they are: registering them
/// anew could fail.
struct child_io {
  using descriptor = boost::asio::posix::stream_descriptor;

  explicit child_io(boost::asio::io_context& context);

  /// Registers the descriptors of a child and takes them over. If that fails,
  /// those that are left stay with the child.
  boost::system::error_code adopt(child_process& child);

  /// Tells whoever waits for one of the descriptors that it was cancelled.
  void cancel();

  void close();

  descriptor in;
  descriptor out;
  descriptor exit;
  /// Open for `stderr_kind::capture` only.
  descriptor err;
};

/// Registers `fd` and takes it over; if that fails, it stays where it is.
boost::system::error_code adopt_fd(child_io::descriptor& to, unique_fd& fd);

} // namespace caf_mcp
