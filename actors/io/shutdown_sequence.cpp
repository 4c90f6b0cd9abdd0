#include "caf_mcp/actors/io/shutdown_sequence.hpp"

#include "caf_mcp/actors/io/exit_watch.hpp"
#include "caf_mcp/actors/io/process_group.hpp"

#include <boost/asio/buffer.hpp>

#include <cerrno>
#include <csignal>
#include <sys/syscall.h>
#include <unistd.h>
#include <utility>

namespace caf_mcp {

namespace {

using descriptor = boost::asio::posix::stream_descriptor;

descriptor adopt_fd(const descriptor::executor_type& executor, unique_fd fd) {
  if (!fd)
    return descriptor{executor};
  return {executor, fd.release()};
}

/// Signals a group, or its leader alone where that has left the group.
void signal_group(pid_t leader, int number) {
  if (::kill(-leader, number) != 0)
    ::kill(leader, number);
}

} // namespace

void shutdown_sequence::start(std::shared_ptr<io_loop> loop,
                              child_process child, stop_ladder ladder,
                              std::function<void()> on_done) {
  auto sequence = std::make_shared<shutdown_sequence>(
    std::move(loop), std::move(child), ladder, std::move(on_done));
  sequence->run();
}

shutdown_sequence::shutdown_sequence(std::shared_ptr<io_loop> loop,
                                     child_process child, stop_ladder ladder,
                                     std::function<void()> on_done)
  : loop_{std::move(loop)},
    pid_{child.pid},
    ladder_{ladder},
    on_done_{std::move(on_done)},
    stdin_pipe_{std::move(child.stdin_pipe)},
    leader_{adopt_fd(loop_->context().get_executor(), std::move(child.exit))},
    member_{loop_->context()},
    stdout_pipe_{
      adopt_fd(leader_.get_executor(), std::move(child.stdout_pipe))},
    stderr_pipe_{
      adopt_fd(leader_.get_executor(), std::move(child.stderr_pipe))},
    timer_{loop_->context()} {
  // nop
}

void shutdown_sequence::run() {
  loop_->begin_work();
  drain(stdout_pipe_);
  drain(stderr_pipe_);
  take_step();
  wait_for_leader();
}

void shutdown_sequence::take_step() {
  if (reaped_) // the timer had fired already when it was cancelled
    return;
  if (leader_has_ended_) {
    // The process that is waited for may have left the group meanwhile.
    wait_for_group();
    if (reaped_)
      return;
  }
  auto step = ladder_.next();
  switch (step.action) {
    case stop_action::close_stdin:
      stdin_pipe_.reset();
      break;
    case stop_action::terminate:
      signal_group(pid_, SIGTERM);
      break;
    case stop_action::kill:
      signal_group(pid_, SIGKILL);
      break;
    case stop_action::give_up:
      give_up();
      return;
  }
  timer_.expires_after(step.wait);
  timer_.async_wait([self = shared_from_this()](const auto& error) {
    if (!error)
      self->take_step();
  });
}

void shutdown_sequence::wait_for_leader() {
  leader_.async_wait(descriptor::wait_read,
                     [self = shared_from_this()](const auto& error) {
                       if (error)
                         return;
                       self->leader_has_ended_ = true;
                       self->wait_for_group();
                     });
}

void shutdown_sequence::wait_for_group() {
  if (reaped_) {
    close_descriptors();
    return;
  }
  for (;;) {
    auto member = find_group_member(pid_);
    if (!member) {
      on_group_empty();
      return;
    }
    auto fd = static_cast<int>(::syscall(SYS_pidfd_open, *member, 0));
    if (fd < 0 && errno != ESRCH) // no descriptors, or no pidfds: the next step
      return;                     // looks again
    member_ = adopt_fd(leader_.get_executor(), unique_fd{fd});
    // Else it ended before it was opened, and the pid may be anybody's.
    if (fd >= 0 && ::getpgid(*member) == pid_)
      break;
  }
  member_.async_wait(descriptor::wait_read,
                     [self = shared_from_this()](const auto& error) {
                       if (!error)
                         self->wait_for_group();
                     });
}

void shutdown_sequence::on_group_empty() {
  timer_.cancel();
  reap(pid_);
  reaped_ = true;
  close_descriptors();
  finish();
}

/// The child may outlive the loop, so something else has to reap it. What it
/// writes is read as long as the loop runs.
void shutdown_sequence::give_up() {
  reap_in_background(pid_);
  reaped_ = true;
  finish();
}

void shutdown_sequence::close_descriptors() {
  boost::system::error_code ignored;
  leader_.close(ignored);
  stdout_pipe_.close(ignored);
  stderr_pipe_.close(ignored);
}

void shutdown_sequence::drain(descriptor& pipe) {
  if (!pipe.is_open())
    return;
  pipe.async_read_some(
    boost::asio::buffer(drained_),
    [self = shared_from_this(), &pipe](const auto& error, std::size_t) {
      if (!error)
        self->drain(pipe);
    });
}

void shutdown_sequence::finish() {
  if (auto on_done = std::exchange(on_done_, nullptr)) {
    loop_->end_work();
    // Where it gave up, what still waits must not keep the loop that keeps it.
    loop_.reset();
    on_done();
  }
}

} // namespace caf_mcp
