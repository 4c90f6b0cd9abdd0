#include "tests/support/tool.hpp"

#include "tests/support/paths.hpp"

#include <boost/json/parse.hpp>
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <stdexcept>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace tests {

namespace {

constexpr std::chrono::seconds run_time_max{60};

/// Two connected descriptors; the tool writes, the test reads.
struct channel {
  int read = -1;
  int write = -1;
};

channel open_pipe() {
  std::array<int, 2> fds{-1, -1};
  if (::pipe2(fds.data(), O_CLOEXEC) != 0)
    throw std::runtime_error{"no pipe"};
  return {fds[0], fds[1]};
}

channel open_terminal() {
  auto master = ::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  std::array<char, 64> name{};
  if (master < 0 || ::grantpt(master) != 0 || ::unlockpt(master) != 0
      || ::ptsname_r(master, name.data(), name.size()) != 0)
    throw std::runtime_error{"no pseudo terminal"};
  return {master, ::open(name.data(), O_RDWR | O_NOCTTY | O_CLOEXEC)};
}

channel open_screen(tool_screen screen) {
  switch (screen) {
    case tool_screen::pipes:
      return open_pipe();
    case tool_screen::terminal:
      return open_terminal();
    case tool_screen::full_device:
      return {-1, ::open("/dev/full", O_WRONLY | O_CLOEXEC)};
  }
  return {};
}

void close_fd(int& fd) {
  if (fd >= 0)
    ::close(std::exchange(fd, -1));
}

/// What `posix_spawn` does to the child's descriptors and signals.
class spawn_actions {
public:
  spawn_actions(int in, int out, int err, const std::string& directory) {
    ::posix_spawn_file_actions_init(&files_);
    if (in >= 0)
      ::posix_spawn_file_actions_adddup2(&files_, in, 0);
    else
      ::posix_spawn_file_actions_addopen(&files_, 0, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_adddup2(&files_, out, 1);
    ::posix_spawn_file_actions_adddup2(&files_, err, 2);
    if (!directory.empty())
      ::posix_spawn_file_actions_addchdir_np(&files_, directory.c_str());
    // Whatever the test runner ignores or blocks, the tool must not.
    sigset_t none;
    sigset_t all;
    ::sigemptyset(&none);
    ::sigfillset(&all);
    ::posix_spawnattr_init(&attributes_);
    ::posix_spawnattr_setsigmask(&attributes_, &none);
    ::posix_spawnattr_setsigdefault(&attributes_, &all);
    ::posix_spawnattr_setflags(&attributes_,
                               POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  }

  spawn_actions(const spawn_actions&) = delete;
  spawn_actions& operator=(const spawn_actions&) = delete;

  ~spawn_actions() {
    ::posix_spawn_file_actions_destroy(&files_);
    ::posix_spawnattr_destroy(&attributes_);
  }

  pid_t spawn(const std::string& program, std::vector<std::string> args,
              const std::map<std::string, std::string>& env) {
    args.insert(args.begin(), program);
    std::vector<std::string> variables;
    for (const auto& [name, value] : env)
      variables.push_back(name + '=' + value);
    auto argv = pointers(args);
    auto envp = pointers(variables);
    auto pid = pid_t{-1};
    if (::posix_spawn(&pid, program.c_str(), &files_, &attributes_, argv.data(),
                      envp.data())
        != 0)
      throw std::runtime_error{"cannot run " + program};
    return pid;
  }

private:
  static std::vector<char*> pointers(std::vector<std::string>& texts) {
    std::vector<char*> result;
    for (auto& text : texts)
      result.push_back(text.data());
    result.push_back(nullptr);
    return result;
  }

  posix_spawn_file_actions_t files_{};
  posix_spawnattr_t attributes_{};
};

/// Reads what is there; closes at the end.
void read_available(int& fd, std::string& to) {
  std::array<char, 65536> chunk{};
  auto count = ::read(fd, chunk.data(), chunk.size());
  if (count > 0)
    to.append(chunk.data(), static_cast<std::size_t>(count));
  else if (count == 0 || errno != EINTR)
    close_fd(fd); // a pseudo terminal ends with EIO
}

} // namespace

tool_run::tool_run(std::vector<std::string> args, const setup& how)
  : begin_{std::chrono::steady_clock::now()} {
  auto out = open_screen(how.screen);
  auto err = how.screen == tool_screen::terminal ? channel{} : open_pipe();
  spawn_actions actions{how.has_keyboard ? out.write : -1, out.write,
                        err.write < 0 ? out.write : err.write, how.directory};
  auto env = how.env;
  // The credentials of this user are those of the tests.
  if (const auto* state = std::getenv("XDG_STATE_HOME"))
    env.emplace("XDG_STATE_HOME", state);
  pid_ = actions.spawn(binary("caf-mcp"), std::move(args), env);
  exit_fd_ = static_cast<int>(::syscall(SYS_pidfd_open, pid_, 0));
  close_fd(out.write);
  close_fd(err.write);
  out_fd_ = out.read;
  err_fd_ = err.read;
}

tool_run::~tool_run() {
  if (pid_ > 0) {
    signal(SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  for (auto* fd : {&exit_fd_, &out_fd_, &err_fd_})
    close_fd(*fd);
}

void tool_run::signal(int number) const {
  ::kill(pid_, number);
}

void tool_run::type(std::string_view text) const {
  REQUIRE(::write(out_fd_, text.data(), text.size())
          == static_cast<ssize_t>(text.size()));
}

void tool_run::close_stdout() {
  close_fd(out_fd_);
}

void tool_run::wait_for_output(std::string_view text) {
  const auto end = begin_ + run_time_max;
  while (result_.out.find(text) == std::string::npos) {
    pollfd wait{out_fd_, POLLIN, 0};
    ::poll(&wait, 1, 1000);
    if (wait.revents != 0)
      read_available(out_fd_, result_.out);
    if (out_fd_ < 0 || std::chrono::steady_clock::now() > end)
      FAIL("the tool did not write \"" << text << "\": " << result_.out);
  }
}

void tool_run::wait_for_error(std::string_view text) {
  const auto end = begin_ + run_time_max;
  while (result_.err.find(text) == std::string::npos) {
    pollfd wait{err_fd_, POLLIN, 0};
    ::poll(&wait, 1, 1000);
    if (wait.revents != 0)
      read_available(err_fd_, result_.err);
    if (err_fd_ < 0 || std::chrono::steady_clock::now() > end)
      FAIL("the tool did not write \"" << text << "\": " << result_.err);
  }
}

tool_result tool_run::finish() {
  const auto end = begin_ + run_time_max;
  auto has_ended = false;
  while (!has_ended || out_fd_ >= 0 || err_fd_ >= 0) {
    const auto left = end - std::chrono::steady_clock::now();
    using std::chrono::milliseconds;
    const auto left_ms = std::chrono::duration_cast<milliseconds>(left).count();
    if (left_ms <= 0)
      break;
    // poll(2) passes over negative descriptors.
    std::array<pollfd, 3> waits{{{out_fd_, POLLIN, 0},
                                 {err_fd_, POLLIN, 0},
                                 {has_ended ? -1 : exit_fd_, POLLIN, 0}}};
    ::poll(waits.data(), waits.size(), static_cast<int>(left_ms));
    if (waits[0].revents != 0)
      read_available(out_fd_, result_.out);
    if (waits[1].revents != 0)
      read_available(err_fd_, result_.err);
    if (waits[2].revents != 0) {
      has_ended = true;
      result_.elapsed = std::chrono::duration_cast<milliseconds>(
        std::chrono::steady_clock::now() - begin_);
    }
  }
  if (!has_ended)
    FAIL("the tool did not end within "
         << run_time_max.count() << " s: " << result_.out << result_.err);
  auto status = 0;
  ::waitpid(std::exchange(pid_, -1), &status, 0);
  result_.status
    = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return result_;
}

tool_result run_tool(std::vector<std::string> args,
                     const tool_run::setup& how) {
  tool_run run{std::move(args), how};
  return run.finish();
}

boost::json::object only_json(const std::string& text) {
  INFO("stdout: " << text);
  REQUIRE(text.ends_with('\n'));
  boost::json::error_code error;
  auto value = boost::json::parse(text, error);
  REQUIRE_FALSE(error);
  REQUIRE(value.is_object());
  return value.get_object();
}

} // namespace tests
