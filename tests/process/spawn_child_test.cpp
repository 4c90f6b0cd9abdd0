#include "caf_mcp/actors/port/child_process.hpp"

#include "tests/support/leftovers.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/sanitizers.hpp"
#include "tests/support/scratch_directory.hpp"

#include <boost/json/parse.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <memory>
#include <poll.h>
#include <stdexcept>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <thread>

using namespace caf_mcp;
using tests::leftover_check;
using tests::scratch_directory;

namespace json = boost::json;
namespace fs = std::filesystem;

namespace {

spawn_plan program(std::string_view name, std::vector<std::string> args = {}) {
  spawn_plan plan;
  plan.executable = tests::binary(name);
  plan.args = std::move(args);
  plan.stderr_to = stderr_kind::discard;
  // The test's thread may end before the child.
  plan.on_host_death = host_death_policy::eof;
  return plan;
}

spawn_plan shell(std::string script) {
  auto plan = program("", {"-c", std::move(script)});
  plan.executable = "/bin/sh";
  return plan;
}

bool wait_readable(const unique_fd& fd) {
  pollfd wanted{fd.get(), POLLIN, 0};
  return ::poll(&wanted, 1, 20'000) == 1;
}

/// Reads up to the end of a pipe.
std::string read_all(const unique_fd& fd) {
  std::string result;
  std::array<char, 4096> bytes;
  while (wait_readable(fd)) {
    auto count = ::read(fd.get(), bytes.data(), bytes.size());
    if (count <= 0)
      break;
    result.append(bytes.data(), static_cast<std::size_t>(count));
  }
  return result;
}

/// A child that is killed, if need be, and reaped at the end.
class running_child {
public:
  explicit running_child(const spawn_plan& plan) {
    auto spawned = spawn_child(plan);
    if (const auto* reason = std::get_if<close_reason>(&spawned))
      throw std::runtime_error{to_sentence(*reason)};
    child = std::get<child_process>(std::move(spawned));
  }

  ~running_child() {
    ::kill(-child.pid, SIGKILL);
    reap(child.pid);
  }

  running_child(const running_child&) = delete;
  running_child& operator=(const running_child&) = delete;

  /// Waits for the end of the child.
  exit_report end() {
    if (!wait_readable(child.exit))
      throw std::runtime_error{"the child does not end"};
    return peek_exit(child.pid).value();
  }

  child_process child;
};

/// Returns what `test-print-fds` says it was born with. Any thread: it makes no
/// assertions, which Catch2 allows in one thread only, but throws.
json::object birth_of(spawn_plan plan) {
  running_child self{plan};
  const std::string_view call = R"({"id":1,"method":"tools/call"})"
                                "\n";
  if (::write(self.child.stdin_pipe.get(), call.data(), call.size())
      != static_cast<ssize_t>(call.size()))
    throw std::runtime_error{"the child does not take a request"};
  self.child.stdin_pipe.reset();
  auto answer = json::parse(read_all(self.child.stdout_pipe));
  auto facts = answer.at("result").at("structuredContent").as_object();
  if (facts.at("pid").as_int64() != self.child.pid)
    throw std::runtime_error{"the child is not the one that was spawned"};
  return facts;
}

json::object birth(std::vector<std::string> args = {}) {
  return birth_of(program("test-print-fds", std::move(args)));
}

close_reason refused(const spawn_plan& plan) {
  leftover_check leftovers;
  auto spawned = spawn_child(plan);
  REQUIRE(std::holds_alternative<close_reason>(spawned));
  auto reason = std::get<close_reason>(spawned);
  CHECK(reason.cause == close_cause::spawn_failed);
  return reason;
}

bool says(const close_reason& reason, std::string_view text) {
  return reason.detail.find(text) != std::string::npos;
}

std::string text_of(const std::string& path) {
  std::ifstream file{path};
  return {std::istreambuf_iterator<char>{file}, {}};
}

/// Sets how a signal is handled for the time of a test.
class signal_disposition {
public:
  signal_disposition(int signal, void (*handler)(int)) : signal_{signal} {
    struct sigaction wanted {};
    wanted.sa_handler = handler;
    ::sigaction(signal, &wanted, &before_);
  }

  ~signal_disposition() {
    ::sigaction(signal_, &before_, nullptr);
  }

private:
  int signal_;
  struct sigaction before_ {};
};

/// Blocks a signal for the time of a test.
class blocked_signal {
public:
  explicit blocked_signal(int signal) {
    sigset_t wanted;
    sigemptyset(&wanted);
    sigaddset(&wanted, signal);
    ::pthread_sigmask(SIG_BLOCK, &wanted, &before_);
  }

  ~blocked_signal() {
    ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }

private:
  sigset_t before_;
};

/// Closes a descriptor for the time of a test.
class closed_descriptor {
public:
  explicit closed_descriptor(int fd)
    : fd_{fd}, kept_{::fcntl(fd, F_DUPFD_CLOEXEC, 100)} {
    ::close(fd);
  }

  ~closed_descriptor() {
    ::dup2(kept_.get(), fd_);
  }

private:
  int fd_;
  unique_fd kept_;
};

/// Makes close_range(2) fail with ENOSYS in the calling thread, as on an older
/// kernel or in a sandbox.
void refuse_close_range() {
  std::array<sock_filter, 4> code{{
    {BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(seccomp_data, nr)},
    {BPF_JMP | BPF_JEQ | BPF_K, 0, 1, SYS_close_range},
    {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ERRNO | ENOSYS},
    {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW},
  }};
  sock_fprog program{static_cast<unsigned short>(code.size()), code.data()};
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0
      || ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
    throw std::runtime_error{"seccomp is not to be had"};
}

/// A process that another part of the host forked, and that holds whatever the
/// host had open at that moment.
class foreign_fork {
public:
  foreign_fork() : pid_{::fork()} {
    if (pid_ == 0) {
      ::pause();
      ::_exit(0);
    }
  }

  ~foreign_fork() {
    ::kill(pid_, SIGKILL);
    reap(pid_);
  }

  foreign_fork(const foreign_fork&) = delete;
  foreign_fork& operator=(const foreign_fork&) = delete;

private:
  pid_t pid_;
};

void do_nothing(int) {
  // a handler that is not the default
}

const json::array standard_descriptors{0, 1, 2};

} // namespace

// -- what a child is born with ------------------------------------------------

TEST_CASE("a child leads a process group of its own") {
  leftover_check leftovers;
  auto facts = birth();
  CHECK(facts.at("pgid") == facts.at("pid"));
  CHECK(facts.at("ppid").as_int64() == ::getpid());
}

TEST_CASE("a child has descriptors 0, 1 and 2, whatever the host has") {
  leftover_check leftovers;
  std::vector<unique_fd> open;
  for (auto i = 0; i < 200; ++i)
    open.emplace_back(::open("/dev/null", O_RDWR)); // not close-on-exec
  open.emplace_back(::fcntl(open[0].get(), F_DUPFD, 1000));
  CHECK(birth().at("fds") == standard_descriptors);
}

TEST_CASE("a child has descriptors 0, 1 and 2 where close_range is refused") {
  leftover_check leftovers;
  std::vector<unique_fd> open;
  for (auto i = 0; i < 300; ++i)
    open.emplace_back(::open("/dev/null", O_RDWR)); // not close-on-exec
  json::object facts;
  // A filter is for ever, and for its thread and what that starts only.
  std::thread{[&facts] {
    refuse_close_range();
    facts = birth();
  }}.join();
  CHECK(facts.at("fds") == standard_descriptors);
}

TEST_CASE("a child has descriptors 0, 1 and 2, even if the host has not") {
  leftover_check leftovers;
  SECTION("stdin") {
    closed_descriptor closed{STDIN_FILENO};
    CHECK(birth().at("fds") == standard_descriptors);
  }
  SECTION("stderr") {
    auto plan = program("test-print-fds");
    plan.stderr_to = stderr_kind::inherit;
    closed_descriptor closed{STDERR_FILENO};
    CHECK(birth_of(plan).at("fds") == standard_descriptors);
  }
  SECTION("both") {
    closed_descriptor no_stdin{STDIN_FILENO};
    closed_descriptor no_stderr{STDERR_FILENO};
    CHECK(birth().at("fds") == standard_descriptors);
  }
}

TEST_CASE("children of many threads do not get each other's descriptors") {
  leftover_check leftovers;
  std::vector<json::array> seen(40);
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < 4; ++i)
      threads.emplace_back([&seen, i] {
        for (auto at = i; at < seen.size(); at += 4)
          seen.at(at) = birth().at("fds").as_array();
      });
  }
  for (const auto& fds : seen)
    CHECK(fds == standard_descriptors);
}

TEST_CASE("a child starts with no signal blocked or ignored") {
  leftover_check leftovers;
  blocked_signal blocked{SIGUSR1};
  signal_disposition pipe{SIGPIPE, SIG_IGN};
  signal_disposition interrupt{SIGINT, SIG_IGN};
  signal_disposition hangup{SIGHUP, SIG_IGN};
  auto facts = birth();
  CHECK(facts.at("blocked_signals") == json::array{});
  CHECK(facts.at("ignored_signals") == json::array{});
}

TEST_CASE("a start changes nothing about the host's signals") {
  leftover_check leftovers;
  blocked_signal blocked{SIGUSR1};
  signal_disposition handled{SIGUSR2, do_nothing};
  birth();
  sigset_t mask;
  ::pthread_sigmask(SIG_SETMASK, nullptr, &mask);
  CHECK(sigismember(&mask, SIGUSR1) == 1);
  CHECK(sigismember(&mask, SIGTERM) == 0);
  struct sigaction action {};
  ::sigaction(SIGUSR2, nullptr, &action);
  CHECK(action.sa_handler == do_nothing);
}

TEST_CASE("the signal of the host's death is as the options say") {
  leftover_check leftovers;
  auto plan = program("test-print-fds");
  auto signal = 0;
  SECTION("none") {
    plan.on_host_death = host_death_policy::eof;
  }
  SECTION("SIGTERM") {
    plan.on_host_death = host_death_policy::term;
    signal = SIGTERM;
  }
  SECTION("SIGKILL") {
    plan.on_host_death = host_death_policy::kill;
    signal = SIGKILL;
  }
  CHECK(birth_of(plan).at("parent_death_signal") == signal);
}

TEST_CASE("arguments arrive as they are") {
  leftover_check leftovers;
  std::vector<std::string> args{"; rm -rf ~", "",   "a\nb", "$HOME", "`id`",
                                "\"q\" 'q'",  "\\", "*",    "é"};
  json::array expected{json::value(tests::binary("test-print-fds"))};
  for (const auto& arg : args)
    expected.emplace_back(arg);
  CHECK(birth(args).at("argv") == expected);
}

TEST_CASE("the environment is the one of the plan and no more") {
  leftover_check leftovers;
  auto plan = program("test-print-fds");
  SECTION("some variables") {
    plan.environment = {"A=1", "EMPTY=", "B=x=y\nz"};
    CHECK(birth_of(plan).at("env_names") == json::array{"A", "EMPTY", "B"});
  }
  SECTION("none") {
    CHECK(birth_of(plan).at("env_names") == json::array{});
  }
}

TEST_CASE("the working directory is the one of the plan, or the host's") {
  leftover_check leftovers;
  scratch_directory there;
  auto plan = program("test-print-fds");
  CHECK(birth_of(plan).at("cwd").as_string() == fs::current_path().string());
  plan.cd = there.path();
  CHECK(birth_of(plan).at("cwd").as_string()
        == fs::canonical(there.path()).string());
}

// -- stderr -------------------------------------------------------------------

TEST_CASE("stderr can be captured") {
  leftover_check leftovers;
  auto plan = shell("echo words >&2; echo result");
  plan.stderr_to = stderr_kind::capture;
  running_child self{plan};
  CHECK(read_all(self.child.stderr_pipe) == "words\n");
  CHECK(read_all(self.child.stdout_pipe) == "result\n");
}

TEST_CASE("stderr can be appended to a file") {
  leftover_check leftovers;
  scratch_directory there;
  auto plan = shell("echo words >&2");
  plan.stderr_to = stderr_kind::file;
  plan.stderr_file = there.path() + "/log";
  for (auto i = 0; i < 2; ++i) {
    running_child self{plan};
    CHECK(self.end().number == 0);
    CHECK_FALSE(self.child.stderr_pipe);
  }
  CHECK(text_of(plan.stderr_file) == "words\nwords\n");
}

TEST_CASE("a child that writes to a file or to nothing does not see it block") {
  leftover_check leftovers;
  scratch_directory there;
  auto plan = shell("grep flags /proc/self/fdinfo/2");
  SECTION("a file") {
    plan.stderr_to = stderr_kind::file;
    plan.stderr_file = there.path() + "/log";
  }
  SECTION("nothing") {
    plan.stderr_to = stderr_kind::discard;
  }
  plan.environment = {"PATH=/usr/bin:/bin"};
  running_child self{plan};
  auto text = read_all(self.child.stdout_pipe);
  auto flags = std::stoul(text.substr(text.find_last_of("\t ")), nullptr, 8);
  CHECK((flags & O_NONBLOCK) == 0);
}

// -- what goes wrong ----------------------------------------------------------

TEST_CASE("a script whose interpreter is not there is said to be that") {
  scratch_directory there;
  auto plan = program("");
  plan.executable = there.write("script", "#!/no/such/interpreter\n");
  fs::permissions(plan.executable, fs::perms::owner_all);
  auto reason = refused(plan);
  CHECK(says(reason, "bad interpreter"));
  CHECK(says(reason, plan.executable));
}

TEST_CASE("a file that is no program is said to be that") {
  scratch_directory there;
  auto plan = program("");
  plan.executable = there.write("file", "just text\n");
  fs::permissions(plan.executable, fs::perms::owner_all);
  auto reason = refused(plan);
  CHECK(says(reason, "Exec format error"));
  CHECK(says(reason, plan.executable));
}

TEST_CASE("a working directory that cannot be entered is named") {
  scratch_directory there;
  auto plan = program("test-print-fds");
  SECTION("it is not there") {
    plan.cd = "/no/such/directory";
    CHECK(says(refused(plan), "No such file"));
  }
  SECTION("it is a file") {
    plan.cd = there.write("file", "");
    CHECK(says(refused(plan), "Not a directory"));
  }
  CHECK(says(refused(plan), "cd: " + *plan.cd));
}

TEST_CASE("a file for stderr that cannot be opened is named") {
  scratch_directory there;
  auto plan = program("test-print-fds");
  plan.stderr_to = stderr_kind::file;
  std::string reason;
  SECTION("its directory is not there") {
    plan.stderr_file = there.path() + "/none/log";
    reason = "No such file or directory";
  }
  SECTION("it is a directory") {
    plan.stderr_file = there.path();
    reason = "Is a directory";
  }
  SECTION("it is a FIFO that nobody reads, which must not be waited for") {
    plan.stderr_file = there.path() + "/fifo";
    REQUIRE(::mkfifo(plan.stderr_file.c_str(), 0600) == 0);
    reason = "No such device or address";
  }
  CHECK(says(refused(plan), "stderr: " + plan.stderr_file + ": " + reason));
}

TEST_CASE("a start does not wait for what another thread forks meanwhile") {
  if (tests::sanitizes_threads)
    SKIP("the sanitizer makes a fork of vfork, after which a start waits");
  leftover_check leftovers;
  std::vector<std::unique_ptr<foreign_fork>> forked;
  std::atomic<bool> is_over = false;
  std::jthread forker{[&] {
    while (!is_over && forked.size() < 300)
      forked.push_back(std::make_unique<foreign_fork>());
  }};
  const auto plan = program("test-exit-at-once");
  auto failing = plan;
  failing.executable = "/";
  // Each would last as long as any of those processes, that is for ever.
  for (auto i = 0; i < 50; ++i) {
    running_child started{plan};
    CHECK(started.end().cause == close_cause::exit_status);
    CHECK(std::holds_alternative<close_reason>(spawn_child(failing)));
  }
  is_over = true;
  forker.join();
}

TEST_CASE("arguments that are too long are refused by the system") {
  auto plan = program("test-print-fds", {std::string(1 << 20, 'x')});
  CHECK(says(refused(plan), "Argument list too long"));
}

TEST_CASE("a host without descriptors to spare cannot start anything, and says "
          "what it could not open") {
  leftover_check leftovers;
  auto plan = program("test-exit-at-once");
  plan.stderr_to = GENERATE(stderr_kind::inherit, stderr_kind::discard,
                            stderr_kind::capture);
  std::vector<unique_fd> open;
  rlimit limit{};
  // Low enough to be reached, high enough for what is open.
  REQUIRE(::getrlimit(RLIMIT_NOFILE, &limit) == 0);
  auto lowered = limit;
  lowered.rlim_cur = 64;
  REQUIRE(::setrlimit(RLIMIT_NOFILE, &lowered) == 0);
  for (;;) {
    unique_fd next{::open("/dev/null", O_RDONLY | O_CLOEXEC)};
    if (!next)
      break;
    open.push_back(std::move(next));
  }
  // Checked later: the undefined behaviour sanitizer needs descriptors itself.
  std::vector<close_reason> failures;
  // Whichever of the descriptors is the one too many.
  for (auto spare = 0; spare < 12 && !open.empty(); ++spare) {
    auto spawned = spawn_child(plan);
    if (auto* child = std::get_if<child_process>(&spawned))
      reap(child->pid);
    else
      failures.push_back(std::get<close_reason>(std::move(spawned)));
    open.pop_back();
  }
  ::setrlimit(RLIMIT_NOFILE, &limit);
  CHECK(failures.size() >= 6);
  for (const auto& each : failures)
    CHECK_FALSE(says(each, ": : "));
}

// -- the end ------------------------------------------------------------------

TEST_CASE("an exit is seen without taking the child away") {
  leftover_check leftovers;
  running_child self{program("test-exit-at-once", {"42"})};
  auto report = self.end();
  CHECK(report.cause == close_cause::exit_status);
  CHECK(report.number == 42);
  CHECK(tests::exists(self.child.pid));
  CHECK(peek_exit(self.child.pid)->number == 42);
}

TEST_CASE("a running child has not ended, and is not reaped") {
  leftover_check leftovers;
  running_child self{program("test-never-answer")};
  CHECK_FALSE(peek_exit(self.child.pid).has_value());
  CHECK_FALSE(peek_exit(self.child.pid, self.child.exit.get()).has_value());
  CHECK_FALSE(try_reap(self.child.pid, self.child.exit.get()));
}

TEST_CASE("death by a signal is no exit status") {
  leftover_check leftovers;
  running_child self{program("test-never-answer")};
  ::kill(self.child.pid, SIGKILL);
  auto report = self.end();
  CHECK(report.cause == close_cause::signal);
  CHECK(report.number == SIGKILL);
}

TEST_CASE("the exit of a child that somebody else reaped is not known") {
  leftover_check leftovers;
  signal_disposition automatic{SIGCHLD, SIG_IGN};
  running_child self{program("test-never-answer")};
  ::kill(self.child.pid, SIGKILL);
  auto report = self.end();
  CHECK(report.cause == close_cause::exit_status);
  CHECK(report.number == -1);
}
