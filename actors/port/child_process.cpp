#include "caf_mcp/actors/port/child_process.hpp"

#include "caf_mcp/actors/port/close_from.hpp"
#include "caf_mcp/actors/port/exit_watch.hpp"
#include "caf_mcp/actors/port/live_children.hpp"
#include "caf_mcp/messages/server_options.hpp"

// Boost.Process v2 before 1.86 is header-only, and there its mode on top of
// std::filesystem does not compile; CMake links Boost.Filesystem for it.
#include <boost/asio/io_context.hpp>
#include <boost/process/v2/posix/vfork_launcher.hpp>
#include <boost/process/v2/process.hpp>
#include <boost/system/system_error.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <fcntl.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace caf_mcp {

namespace {

namespace process = boost::process::v2;

/// The step at which a child failed before it became the server.
enum class spawn_step : int { set_up, change_directory, execute };

struct spawn_failure {
  spawn_step step = spawn_step::set_up;
  int error = 0;
};

/// The child's end of the pipe that tells the parent of a failure; closed by a
/// successful exec. Above it, the child closes everything.
constexpr int failure_fd = 3;

/// Larger than the default of 64 KiB, so that a large message takes fewer turns
/// between the two processes; small enough for a hundred connections under the
/// system's soft limit for a user's pipes (pipe(7), pipe-user-pages-soft).
constexpr int wide_pipe_bytes = 256 * 1024;

struct pipe_ends {
  unique_fd read;
  unique_fd write;
};

/// Moves a descriptor out of the way of those the child binds. One that could
/// not be opened stays so, and errno says why.
unique_fd move_up(unique_fd fd) {
  if (!fd || fd.get() > failure_fd)
    return fd;
  return unique_fd{::fcntl(fd.get(), F_DUPFD_CLOEXEC, failure_fd + 1)};
}

std::optional<pipe_ends> open_pipe() {
  std::array<int, 2> fds{-1, -1};
  if (::pipe2(fds.data(), O_CLOEXEC) != 0)
    return std::nullopt;
  pipe_ends result{unique_fd{fds[0]}, unique_fd{fds[1]}};
  result.read = move_up(std::move(result.read));
  result.write = move_up(std::move(result.write));
  if (!result.read || !result.write)
    return std::nullopt;
  return result;
}

void set_non_blocking(const unique_fd& fd) {
  ::fcntl(fd.get(), F_SETFL, ::fcntl(fd.get(), F_GETFL) | O_NONBLOCK);
}

int death_signal(host_death_policy policy) {
  switch (policy) {
    case host_death_policy::eof:
      return 0;
    case host_death_policy::term:
      return SIGTERM;
    case host_death_policy::kill:
      return SIGKILL;
  }
  return 0;
}

/// Explains a failure that the child reported.
close_reason explain(const spawn_plan& plan, const spawn_failure& failure) {
  const auto executable = shown_value(plan.as_written, plan.executable);
  switch (failure.step) {
    case spawn_step::set_up:
      return failed_to_spawn("setting up the process", failure.error);
    case spawn_step::change_directory:
      return failed_to_spawn(
        "cd: " + shown_value(plan.as_written, plan.cd.value_or("")),
        failure.error);
    case spawn_step::execute:
      break;
  }
  // The file was there a moment ago, so it is its interpreter that is not.
  if (failure.error == ENOENT)
    return failed_to_spawn(executable + ": bad interpreter", failure.error);
  return failed_to_spawn(executable, failure.error);
}

/// What runs in the child between vfork and exec: system calls only, for the
/// memory is shared with the parent.
class child_setup {
public:
  child_setup(const spawn_plan& plan, int in, int out, int err, int report)
    : cd_{plan.cd ? plan.cd->c_str() : nullptr},
      death_signal_{death_signal(plan.on_host_death)},
      fds_{in, out, err},
      report_{report} {
    // nop
  }

  template <class Launcher, class Path, class Argv>
  boost::system::error_code on_exec_setup(Launcher&, const Path&, Argv&&) {
    shares_memory_ = true;
    if (::dup2(report_, failure_fd) < 0
        || ::fcntl(failure_fd, F_SETFD, FD_CLOEXEC) != 0)
      ::_exit(127);
    for (auto target = 0; target < 3; ++target)
      if (::dup2(fds_[static_cast<std::size_t>(target)], target) < 0)
        give_up(spawn_step::set_up);
    close_from(failure_fd + 1);
    if (::setpgid(0, 0) != 0)
      give_up(spawn_step::set_up);
    tie_to_parent();
    if (cd_ != nullptr && ::chdir(cd_) != 0)
      give_up(spawn_step::change_directory);
    reset_signals();
    return {};
  }

  /// Returns whether the child ran in this process's memory until it became
  /// the server or ended, as vfork has it; sanitizers and Valgrind make a fork
  /// of it. To be asked by the parent, after the launch.
  bool shared_memory() const noexcept {
    return shares_memory_;
  }

  /// Called with arguments that differ between versions of Boost.
  template <class... Args>
  void on_exec_error(Args&&...) {
    give_up(spawn_step::execute);
  }

private:
  void tie_to_parent() {
    if (death_signal_ == 0)
      return;
    ::prctl(PR_SET_PDEATHSIG, death_signal_);
    if (::getppid() != parent_)
      ::_exit(127); // it died before the signal was armed
  }

  static void reset_signals() {
    struct sigaction defaults {};
    defaults.sa_handler = SIG_DFL;
    for (auto signal = 1; signal < NSIG; ++signal)
      ::sigaction(signal, &defaults, nullptr);
    sigset_t none;
    sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
  }

  [[noreturn]] static void give_up(spawn_step step) {
    spawn_failure failure{step, errno};
    static_cast<void>(!::write(failure_fd, &failure, sizeof(failure)));
    ::_exit(127);
  }

  const char* cd_;
  int death_signal_;
  std::array<int, 3> fds_;
  int report_;
  pid_t parent_ = ::getpid();
  volatile bool shares_memory_ = false;
};

/// Blocks all signals, so that no handler of the host runs in the child while
/// it shares the host's memory.
class signal_block {
public:
  signal_block() {
    sigset_t all;
    sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before_);
  }

  ~signal_block() {
    ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }

  signal_block(const signal_block&) = delete;
  signal_block& operator=(const signal_block&) = delete;

private:
  sigset_t before_;
};

/// Returns whether the descriptors can be had, and watched, that starting a
/// process takes for a while besides its pipes: Asio leaks some where they end
/// halfway.
bool has_spare_descriptors() {
  std::array<unique_fd, 6> spare;
  for (auto& each : spare)
    each = unique_fd{::eventfd(0, EFD_CLOEXEC)};
  const unique_fd epoll{::epoll_create1(EPOLL_CLOEXEC)};
  return std::all_of(spare.begin(), spare.end(), [&epoll](const auto& each) {
    epoll_event wanted{};
    return ::epoll_ctl(epoll.get(), EPOLL_CTL_ADD, each.get(), &wanted) == 0;
  });
}

/// Starts the process; returns its pid, or an errno as a negative number.
pid_t launch(const spawn_plan& plan, child_setup& setup) {
  std::vector<const char*> environment;
  for (const auto& variable : plan.environment)
    environment.push_back(variable.c_str());
  environment.push_back(nullptr);
  // The launcher tells the context of a fork, and a context that has
  // descriptors would take the child's for its own. So it gets one that has
  // none.
  boost::asio::io_context context;
  process::posix::vfork_launcher launcher;
  launcher.env = environment.data();
  launcher.fd_whitelist = {0, 1, 2, failure_fd};
  boost::system::error_code ec;
  signal_block block;
  try {
    launcher(context.get_executor(), ec,
             process::filesystem::path{plan.executable}, plan.args, setup)
      .detach();
  } catch (const boost::system::system_error& error) {
    // There are no descriptors for the process handle, which is not used.
    ec = error.code();
  }
  // The child shares `ec` too: it is set after a failed exec, which the child
  // reports by itself.
  return launcher.pid > 0 ? launcher.pid : -ec.value();
}

/// Reads what the child reports; nothing if it became the server. Waits for
/// that unless the pipe does not block.
std::optional<spawn_failure> read_failure(const unique_fd& report) {
  spawn_failure failure;
  ssize_t count;
  do {
    count = ::read(report.get(), &failure, sizeof(failure));
  } while (count < 0 && errno == EINTR);
  if (count == static_cast<ssize_t>(sizeof(failure)))
    return failure;
  return std::nullopt;
}

/// Opens a file for a child to append to. A FIFO that nobody reads is an error:
/// waiting for its reader would block the loop.
unique_fd open_log_file(const std::string& path) {
  auto file = move_up(unique_fd{::open(
    path.c_str(),
    O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0666)});
  if (file)
    ::fcntl(file.get(), F_SETFL, ::fcntl(file.get(), F_GETFL) & ~O_NONBLOCK);
  return file;
}

/// Returns what `open_stderr` opens, for errors about it.
std::string stderr_name(const spawn_plan& plan) {
  switch (plan.stderr_to) {
    case stderr_kind::file:
      return shown_value(plan.as_written, plan.stderr_file);
    case stderr_kind::capture:
      return "opening a pipe";
    default:
      return "/dev/null";
  }
}

/// Opens what becomes the child's stderr. Not owned for `inherit`.
unique_fd open_stderr(const spawn_plan& plan, unique_fd& capture) {
  switch (plan.stderr_to) {
    case stderr_kind::inherit:
      return unique_fd{::fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, failure_fd + 1)};
    case stderr_kind::discard:
      return move_up(unique_fd{::open("/dev/null", O_WRONLY | O_CLOEXEC)});
    case stderr_kind::file:
      return open_log_file(plan.stderr_file);
    case stderr_kind::capture:
      break;
  }
  auto ends = open_pipe();
  if (!ends)
    return {};
  capture = std::move(ends->read);
  return std::move(ends->write);
}

/// waitid(2) of a child, by its pidfd if `exit` is one.
constexpr exit_report status_lost{close_cause::exit_status, -1};

bool is_readable(int fd) {
  pollfd look{fd, POLLIN, 0};
  return fd >= 0 && ::poll(&look, 1, 0) > 0;
}

int wait_child(pid_t pid, int exit, int options, siginfo_t& info) {
  constexpr auto by_pidfd = static_cast<idtype_t>(3); // P_PIDFD, Linux 5.4
  auto result = -1;
  do {
    errno = EBADF;
    if (exit >= 0)
      result = ::waitid(by_pidfd, static_cast<id_t>(exit), &info, options);
    if (result != 0 && (errno == EBADF || errno == EINVAL))
      result = ::waitid(P_PID, static_cast<id_t>(pid), &info, options);
  } while (result != 0 && errno == EINTR);
  return result;
}

} // namespace

std::variant<child_process, close_reason> spawn_child(const spawn_plan& plan) {
  auto& children = live_children::of_process();
  const auto admitted = children.admit();
  if (!admitted)
    return failed_to_spawn("creating the process", ECANCELED);
  auto in = open_pipe();
  auto out = open_pipe();
  auto report = open_pipe();
  if (!in || !out || !report)
    return failed_to_spawn("opening a pipe", errno);
  child_process child;
  auto err = open_stderr(plan, child.stderr_pipe);
  if (!err && plan.stderr_to == stderr_kind::inherit)
    err = move_up(unique_fd{::open("/dev/null", O_WRONLY | O_CLOEXEC)});
  if (!err)
    return failed_to_spawn("stderr: " + stderr_name(plan), errno);
  if (!has_spare_descriptors())
    return failed_to_spawn("creating the process",
                           errno == EBADF ? EMFILE : errno);
  child_setup setup{plan, in->read.get(), out->write.get(), err.get(),
                    report->write.get()};
  auto pid = launch(plan, setup);
  report->write.reset();
  if (pid < 0)
    return failed_to_spawn("creating the process", -pid);
  // All has been said by now. To wait for the end of the pipe would be to wait
  // for any process that another thread forked meanwhile, too.
  if (setup.shared_memory())
    set_non_blocking(report->read);
  if (auto failure = read_failure(report->read)) {
    reap(pid);
    return explain(plan, *failure);
  }
  child.pid = pid;
  children.add(pid, plan.kill_policy);
  child.exit = watch_exit(pid);
  if (!child.exit) {
    auto error = errno;
    kill_and_reap(pid);
    return failed_to_spawn("watching the process", error);
  }
  child.stdin_pipe = std::move(in->write);
  child.stdout_pipe = std::move(out->read);
  set_non_blocking(child.stdin_pipe);
  set_non_blocking(child.stdout_pipe);
  if (child.stderr_pipe)
    set_non_blocking(child.stderr_pipe);
  ::fcntl(child.stdin_pipe.get(), F_SETPIPE_SZ, wide_pipe_bytes);
  ::fcntl(child.stdout_pipe.get(), F_SETPIPE_SZ, wide_pipe_bytes);
  return child;
}

std::optional<exit_report> peek_exit(pid_t pid, int exit) {
  // In this order: one that has ended in between shows its status.
  const auto has_ended = is_readable(exit);
  siginfo_t info{};
  if (wait_child(pid, exit, WEXITED | WNOHANG | WNOWAIT, info) != 0)
    return status_lost;
  if (info.si_pid == 0)
    return has_ended ? std::optional{status_lost} : std::nullopt;
  if (info.si_code == CLD_EXITED)
    return exit_report{close_cause::exit_status, info.si_status};
  return exit_report{close_cause::signal, info.si_status};
}

void reap(pid_t pid, int exit) {
  // A pidfd that does not block does not wait (pidfd_open(2)).
  if (exit >= 0)
    ::fcntl(exit, F_SETFL, ::fcntl(exit, F_GETFL) & ~O_NONBLOCK);
  siginfo_t info{};
  wait_child(pid, exit, WEXITED | WNOWAIT, info);
  live_children::of_process().remove(
    pid, [&] { wait_child(pid, exit, WEXITED, info); });
}

bool try_reap(pid_t pid, int exit) {
  siginfo_t info{};
  if (wait_child(pid, exit, WEXITED | WNOHANG | WNOWAIT, info) == 0
      && info.si_pid == 0)
    return false;
  live_children::of_process().remove(
    pid, [&] { wait_child(pid, exit, WEXITED | WNOHANG, info); });
  return true;
}

bool owns_number(pid_t pid, int exit) {
  siginfo_t info{};
  if (wait_child(pid, exit, WEXITED | WNOHANG | WNOWAIT, info) == 0)
    return true;
  return ::kill(pid, 0) != 0 && errno == ESRCH;
}

void signal_child(pid_t pid, int exit, int number) {
  if (::syscall(SYS_pidfd_send_signal, exit, number, nullptr, 0) != 0
      && errno != ESRCH)
    ::kill(pid, number); // there are no pidfds
}

void kill_and_reap(pid_t pid) {
  ::kill(-pid, SIGKILL);
  reap(pid);
}

close_reason failed_to_spawn(std::string what, int error) {
  close_reason result;
  result.cause = close_cause::spawn_failed;
  result.number = error;
  result.detail
    = std::move(what) + ": " + std::generic_category().message(error);
  return result;
}

} // namespace caf_mcp
