#include "caf_mcp/actors/port/shutdown_sequence.hpp"

#include "caf_mcp/actors/port/exit_watch.hpp"
#include "caf_mcp/actors/port/group_scanner.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/post.hpp>

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <utility>

namespace caf_mcp {

void shutdown_sequence::start(std::shared_ptr<io_loop> loop, pid_t pid,
                              child_io io, escalation steps,
                              std::function<void()> on_done) {
  auto sequence = std::make_shared<shutdown_sequence>(
    std::move(loop), pid, std::move(io), steps, std::move(on_done));
  sequence->run();
}

shutdown_sequence::shutdown_sequence(std::shared_ptr<io_loop> loop, pid_t pid,
                                     child_io io, escalation steps,
                                     std::function<void()> on_done)
  : loop_{std::move(loop)},
    pid_{pid},
    steps_{steps},
    on_done_{std::move(on_done)},
    io_{std::move(io)},
    member_{loop_->context()},
    timer_{loop_->context()} {
  // nop
}

void shutdown_sequence::run() {
  loop_->begin_work();
  io_.cancel(); // nobody else waits for them any more
  drain(io_.out);
  drain(io_.err);
  take_step();
  wait_for_leader();
}

void shutdown_sequence::take_step() {
  if (phase_ == phase::over) // the timer had fired when it was cancelled
    return;
  if (!owns_number(pid_, exit_watch())) { // it was reaped, and not by us
    on_group_empty();
    return;
  }
  auto step = steps_.next();
  switch (step.action) {
    case stop_action::close_stdin: {
      boost::system::error_code ignored;
      io_.in.close(ignored);
      break;
    }
    case stop_action::terminate:
      signal(SIGTERM);
      break;
    case stop_action::kill:
      signal(SIGKILL);
      break;
    case stop_action::give_up:
      give_up();
      return;
  }
  // The process that is waited for may have left the group meanwhile, or the
  // group could not be looked at.
  if (phase_ == phase::group)
    look_at_group();
  if (phase_ == phase::over)
    return;
  timer_.expires_after(step.wait);
  timer_.async_wait([self = shared_from_this()](const auto& error) {
    if (!error)
      self->take_step();
  });
}

/// Signals the group, and its leader where that has left the group.
void shutdown_sequence::signal(int number) {
  ::kill(-pid_, number);
  if (phase_ == phase::leader && ::getpgid(pid_) != pid_)
    signal_child(pid_, exit_watch(), number);
}

int shutdown_sequence::exit_watch() {
  return io_.exit.is_open() ? io_.exit.native_handle() : no_exit_watch;
}

void shutdown_sequence::wait_for_leader() {
  io_.exit.async_wait(descriptor::wait_read,
                      [self = shared_from_this()](const auto& error) {
                        if (!error)
                          self->on_exit_notice();
                      });
}

void shutdown_sequence::on_exit_notice() {
  if (!peek_exit(pid_, exit_watch())) {
    wait_for_leader(); // meant for a descriptor that was closed meanwhile
    return;
  }
  if (phase_ == phase::over) {
    io_.close();
    return;
  }
  phase_ = phase::group;
  look_at_group();
}

void shutdown_sequence::look_at_group() {
  if (is_looking_)
    return;
  // The leader had left it, or was reaped by somebody else.
  if (is_vacant(pid_) || !owns_number(pid_, exit_watch())) {
    on_group_empty();
    return;
  }
  is_looking_ = true;
  loop_->begin_work(); // keeps the loop until its last use by the other thread
  look_for_members(pid_, [self = shared_from_this(),
                          loop = loop_.get()](group_members found) mutable {
    boost::asio::post(loop->context(), [self = std::move(self), found] {
      self->is_looking_ = false;
      self->on_look(found);
    });
    loop->end_work();
  });
}

void shutdown_sequence::on_look(group_members found) {
  if (phase_ != phase::group)
    return;
  if (found.state == group_members::kind::none)
    on_group_empty();
  else if (found.state == group_members::kind::some)
    wait_for_member(found.member);
  // Else the next step looks again.
}

void shutdown_sequence::wait_for_member(pid_t member) {
  unique_fd fd{static_cast<int>(::syscall(SYS_pidfd_open, member, 0))};
  if (!fd && errno != ESRCH) // no descriptors, or no pidfds: the next step
    return;                  // looks again
  if (!fd || ::getpgid(member) != pid_) {
    look_at_group(); // it has ended, and the pid may be anybody's
    return;
  }
  boost::system::error_code ignored;
  member_.close(ignored);
  if (adopt_fd(member_, fd))
    return;
  member_.async_wait(descriptor::wait_read,
                     [self = shared_from_this()](const auto& error) {
                       if (!error && self->phase_ == phase::group)
                         self->look_at_group();
                     });
}

void shutdown_sequence::on_group_empty() {
  timer_.cancel();
  reap_leader();
  phase_ = phase::over;
  io_.close();
  boost::system::error_code ignored;
  member_.close(ignored);
  finish();
}

/// No step is left. A leader that still runs may outlive the loop, so something
/// else has to reap it; what it writes is read as long as the loop runs.
void shutdown_sequence::give_up() {
  reap_leader();
  phase_ = phase::over;
  finish();
}

void shutdown_sequence::reap_leader() {
  if (!try_reap(pid_, exit_watch()))
    reap_in_background(pid_,
                       unique_fd{::fcntl(exit_watch(), F_DUPFD_CLOEXEC, 0)});
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
