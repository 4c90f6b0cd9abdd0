#include "caf_mcp/actors/port/child_io.hpp"

namespace caf_mcp {

child_io::child_io(boost::asio::io_context& context)
  : in{context}, out{context}, exit{context}, err{context} {
  // nop
}

boost::system::error_code child_io::adopt(child_process& child) {
  if (auto error = adopt_fd(in, child.stdin_pipe))
    return error;
  if (auto error = adopt_fd(out, child.stdout_pipe))
    return error;
  if (auto error = adopt_fd(exit, child.exit))
    return error;
  return adopt_fd(err, child.stderr_pipe);
}

void child_io::cancel() {
  boost::system::error_code ignored;
  for (auto* each : {&in, &out, &exit, &err})
    each->cancel(ignored);
}

void child_io::close() {
  boost::system::error_code ignored;
  for (auto* each : {&in, &out, &exit, &err})
    each->close(ignored);
}

boost::system::error_code adopt_fd(child_io::descriptor& to, unique_fd& fd) {
  boost::system::error_code error;
  if (fd && !to.assign(fd.get(), error))
    fd.release();
  return error;
}

} // namespace caf_mcp
