#include "caf_mcp/actors/port/shutdown_sequence.hpp"

#include "tests/support/leftovers.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/sanitizers.hpp"
#include "tests/support/scratch_directory.hpp"
#include "tests/support/wait_until.hpp"

#include <boost/asio/post.hpp>
#include <boost/system/system_error.hpp>
#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <catch2/catch_test_macros.hpp>

#include <csignal>
#include <fcntl.h>
#include <fstream>
#include <future>
#include <iterator>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace caf_mcp;
using namespace std::chrono_literals;
using tests::wait_until;

namespace {

/// A loop, and a directory in which servers note what happens to them.
class stage {
public:
  stage() {
    loop_->start();
  }

  ~stage() {
    stop_loop();
  }

  void stop_loop() {
    if (auto loop = std::exchange(loop_, nullptr))
      loop->stop();
  }

  child_process start(const std::string& executable,
                      std::vector<std::string> args) {
    spawn_plan plan;
    plan.executable = executable;
    plan.args = std::move(args);
    plan.environment = {"PATH=/usr/bin:/bin"};
    plan.stderr_to = stderr_kind::capture;
    plan.on_host_death = host_death_policy::eof;
    auto spawned = spawn_child(plan);
    REQUIRE(std::holds_alternative<child_process>(spawned));
    return std::get<child_process>(std::move(spawned));
  }

  /// Starts a shell script that notes things in the file `$1`, and waits until
  /// its first line, by which its traps must be set.
  child_process start_script(const std::string& text) {
    auto child = start("/bin/sh", {"-c", text, "sh", notes_});
    REQUIRE(wait_until([this] { return !notes().empty(); }));
    return child;
  }

  /// Starts a test program that puts a pid into a file; waits for it.
  child_process start_parent(std::string_view name,
                             std::vector<std::string> args) {
    args.push_back(notes_);
    auto child = start(tests::binary(name), std::move(args));
    REQUIRE(wait_until([this] { return notes().ends_with('\n'); }));
    return child;
  }

  /// Starts a Python script that puts a pid into the file `sys.argv[1]`; waits
  /// for it.
  child_process start_python(std::string text) {
    auto child
      = start("/usr/bin/env", {"python3", "-c", std::move(text), notes_});
    REQUIRE(wait_until([this] { return notes().ends_with('\n'); }));
    return child;
  }

  /// Begins the sequence; what it returns is set when that is done.
  std::future<void> shut_down(child_process child, escalation steps) {
    std::promise<void> begun;
    std::promise<void> done;
    auto result = done.get_future();
    boost::asio::post(loop_->context(), [&] {
      begin(std::move(child), steps, std::move(done));
      begun.set_value();
    });
    begun.get_future().wait();
    return result;
  }

  /// The same, just when descriptors are closed of which the loop has news that
  /// it has not told yet: Asio gives their places to those of the child.
  std::future<void> shut_down_among_closed(child_process child,
                                           escalation steps) {
    std::promise<void> begun;
    std::promise<void> done;
    auto result = done.get_future();
    std::vector<pipe_with_news> pipes;
    boost::asio::post(loop_->context(), [&] {
      for (auto i = 0; i < 9; ++i)
        pipes.emplace_back(loop_->context());
      pipes.front().end.async_wait(
        child_io::descriptor::wait_read, [&](const auto&) {
          pipes.clear();
          begin(std::move(child), steps, std::move(done));
          begun.set_value();
        });
      for (auto i = 1U; i < pipes.size(); ++i)
        pipes[i].end.async_wait(child_io::descriptor::wait_read,
                                [](const auto&) {});
      for (auto& each : pipes)
        REQUIRE(::write(each.other_end.get(), "x", 1) == 1);
    });
    begun.get_future().wait();
    return result;
  }

  std::string notes() const {
    std::ifstream file{notes_};
    return {std::istreambuf_iterator<char>{file}, {}};
  }

private:
  struct pipe_with_news {
    explicit pipe_with_news(boost::asio::io_context& context) : end{context} {
      int ends[2];
      REQUIRE(::pipe2(ends, O_CLOEXEC) == 0);
      end.assign(ends[0]);
      other_end = unique_fd{ends[1]};
    }

    child_io::descriptor end;
    unique_fd other_end;
  };

  void begin(child_process child, escalation steps, std::promise<void> done) {
    child_io io{loop_->context()};
    auto shared = std::make_shared<std::promise<void>>(std::move(done));
    if (auto error = io.adopt(child))
      shared->set_exception(
        std::make_exception_ptr(boost::system::system_error{error}));
    else
      shutdown_sequence::start(loop_, child.pid, std::move(io), steps,
                               [shared] { shared->set_value(); });
  }

  tests::leftover_check leftovers_;
  tests::scratch_directory directory_;
  std::string notes_ = directory_.path() + "/notes";
  caf::actor_system_config config_;
  caf::actor_system system_{config_};
  std::shared_ptr<io_loop> loop_ = std::make_shared<io_loop>(system_);
};

escalation escalate(std::chrono::milliseconds stdin_grace,
                    std::chrono::milliseconds term_grace) {
  return {stop_policy::escalate, stdin_grace, term_grace};
}

bool ends(std::future<void>& done) {
  return done.wait_for(20s) == std::future_status::ready;
}

} // namespace

TEST_CASE("a server that leaves at the end of stdin sees no signal") {
  stage on;
  auto child = on.start_script(
    R"(trap 'echo term >> "$1"' TERM; echo up > "$1"; cat; echo eof >> "$1")");
  auto pid = child.pid;
  auto done = on.shut_down(std::move(child), escalate(20s, 20s));
  REQUIRE(ends(done));
  CHECK_FALSE(tests::exists(pid));
  CHECK(on.notes() == "up\neof\n");
}

TEST_CASE("a server that stays after the end of stdin gets SIGTERM") {
  stage on;
  auto child = on.start_script(
    R"(trap 'echo term >> "$1"; exit' TERM; echo up > "$1"; cat
       echo eof >> "$1"; while :; do sleep 0.01; done)");
  auto pid = child.pid;
  auto done = on.shut_down(std::move(child), escalate(500ms, 20s));
  REQUIRE(ends(done));
  CHECK_FALSE(tests::exists(pid));
  CHECK(on.notes() == "up\neof\nterm\n");
}

TEST_CASE("a server that stays after SIGTERM is killed") {
  stage on;
  auto child = on.start_script(
    R"(trap 'echo term >> "$1"' TERM; echo up > "$1"; cat
       echo eof >> "$1"; while :; do sleep 0.01; done)");
  auto pid = child.pid;
  auto done = on.shut_down(std::move(child), escalate(500ms, 500ms));
  REQUIRE(ends(done));
  CHECK_FALSE(tests::exists(pid));
  CHECK(on.notes() == "up\neof\nterm\n");
}

TEST_CASE("a server that is stopped is killed") {
  stage on;
  auto child = on.start(tests::binary("test-never-answer"), {});
  auto pid = child.pid;
  ::kill(pid, SIGSTOP);
  auto done = on.shut_down(std::move(child), escalate(10ms, 10ms));
  REQUIRE(ends(done));
  CHECK_FALSE(tests::exists(pid));
}

TEST_CASE("a server that still writes can leave") {
  stage on;
  SECTION("to stdout") {
    auto done = on.shut_down(on.start(tests::binary("test-write-on-eof"), {}),
                             escalate(20s, 20s));
    CHECK(done.wait_for(15s) == std::future_status::ready);
  }
  SECTION("to stderr") {
    auto done = on.shut_down(
      on.start("/bin/sh", {"-c", "cat; head -c 1000000 /dev/zero >&2"}),
      escalate(20s, 20s));
    CHECK(done.wait_for(15s) == std::future_status::ready);
  }
}

TEST_CASE("what is left of the group is stopped, and the leader reaped last") {
  stage on;
  auto child = on.start_parent("test-spawn-grandchild", {"--pid-file"});
  auto pid = child.pid;
  auto grandchild = std::stoi(on.notes());
  SECTION("when the leader leaves in time") {
    auto done = on.shut_down(std::move(child), escalate(300ms, 300ms));
    REQUIRE(wait_until([&] { return peek_exit(pid).has_value(); }));
    CHECK(tests::exists(pid));
    REQUIRE(ends(done));
  }
  SECTION("when the leader crashed by itself") {
    ::kill(pid, SIGKILL);
    auto done = on.shut_down(std::move(child), escalate(10ms, 10ms));
    REQUIRE(ends(done));
  }
  CHECK_FALSE(tests::exists(pid));
  CHECK_FALSE(tests::group_runs(pid));
  // Not ours to reap: whoever adopted it may take its time.
  CHECK(wait_until([&] { return !tests::group_runs(grandchild); }));
}

TEST_CASE("a process that leaves the group does not hold the leader up") {
  stage on;
  auto child = on.start_parent("test-leave-group", {});
  auto pid = child.pid;
  auto daemon = std::stoi(on.notes());
  auto done = on.shut_down(std::move(child), escalate(200ms, 200ms));
  REQUIRE(ends(done));
  CHECK_FALSE(tests::exists(pid));
  CHECK(tests::exists(daemon));
  ::kill(daemon, SIGKILL);
}

TEST_CASE("a leader that has left its own group is stopped") {
  stage on;
  auto child = on.start(
    "/usr/bin/env", {"python3", "-c",
                     "import os, time; os.setpgid(0, os.getpgid(os.getppid()));"
                     "print('out', flush=True); time.sleep(60)"});
  auto pid = child.pid;
  REQUIRE(wait_until([&] { return ::getpgid(pid) == ::getpgid(0); }));
  auto done = on.shut_down(std::move(child), escalate(10ms, 20s));
  REQUIRE(ends(done));
  CHECK_FALSE(tests::exists(pid));
}

TEST_CASE("a leader that has left its group is stopped with who stayed in it") {
  stage on;
  auto child = on.start_python(R"(
import os, signal, sys, time
member = os.fork()
signal.signal(signal.SIGTERM, signal.SIG_IGN)
if member != 0:
    os.setpgid(0, os.getpgid(os.getppid()))
    with open(sys.argv[1], "w") as file:
        print(member, file=file)
time.sleep(60)
)");
  auto pid = child.pid;
  REQUIRE(::getpgid(pid) == ::getpgid(0));
  auto member = std::stoi(on.notes());
  auto done = on.shut_down(std::move(child), escalate(10ms, 200ms));
  REQUIRE(ends(done));
  CHECK_FALSE(tests::exists(pid));
  CHECK(wait_until([&] { return !tests::exists(member); }));
}

TEST_CASE("a group that cannot be looked at is stopped with all steps") {
  if (tests::sanitizes_address)
    SKIP("the sanitizer needs descriptors to look at objects");
  stage on;
  auto child = on.start_python(R"(
import os, signal, sys, time
if os.fork() == 0:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    with open(sys.argv[1], "w") as file:
        print(os.getpid(), file=file)
    time.sleep(60)
sys.stdin.read()
)");
  auto pid = child.pid;
  auto member = std::stoi(on.notes());
  rlimit before{};
  ::getrlimit(RLIMIT_NOFILE, &before);
  auto none = before;
  none.rlim_cur = 0; // neither /proc nor a pidfd can be opened
  ::setrlimit(RLIMIT_NOFILE, &none);
  auto done = on.shut_down(std::move(child), escalate(100ms, 100ms));
  auto is_over = ends(done);
  ::setrlimit(RLIMIT_NOFILE, &before);
  REQUIRE(is_over);
  CHECK_FALSE(tests::exists(pid));
  CHECK(wait_until([&] { return !tests::exists(member); }));
}

TEST_CASE("a number that somebody else has got by now is left alone") {
  if (::syscall(SYS_pidfd_open, ::getpid(), 0) < 0)
    SKIP("without pidfds two children of this process cannot be told apart");
  stage on;
  auto child = on.start(tests::binary("test-exit-at-once"), {"3"});
  reap(child.pid); // by another part of the host
  // Whoever got the number: here a process, and a group, of the host's.
  auto other = on.start(tests::binary("test-never-answer"), {});
  const auto innocent = other.pid;
  child.pid = innocent;
  auto done = on.shut_down(std::move(child), escalate(1ms, 1ms));
  REQUIRE(ends(done));
  CHECK_FALSE(peek_exit(innocent, other.exit.get()));
  ::kill(innocent, SIGKILL);
  reap(innocent, other.exit.get());
}

TEST_CASE("news of descriptors that are closed is not taken for an exit") {
  stage on;
  auto child = on.start(tests::binary("test-ignore-eof"), {});
  const auto pid = child.pid;
  auto done = on.shut_down_among_closed(std::move(child), escalate(10ms, 20s));
  REQUIRE(ends(done));
  CHECK_FALSE(tests::exists(pid));
}

TEST_CASE("a leader that a tracer keeps holds up no loop, and is reaped") {
  stage on;
  auto child = on.start_python(R"(
import ctypes, os, sys, time
leader = os.getpid()
if os.fork() == 0:
    os.setsid()
    PTRACE_SEIZE = 0x4206
    refused = ctypes.CDLL(None).ptrace(PTRACE_SEIZE, leader, 0, 0)
    with open(sys.argv[1], "w") as file:
        print(0 if refused else os.getpid(), file=file)
    time.sleep(0 if refused else 60)
else:
    sys.stdin.read()
)");
  const auto pid = child.pid;
  const auto tracer = std::stoi(on.notes());
  auto done = on.shut_down(std::move(child), escalate(100ms, 100ms));
  REQUIRE(ends(done));
  if (tracer == 0)
    SKIP("this process may not be traced");
  CHECK(tests::exists(pid));
  ::kill(tracer, SIGKILL);
  CHECK(wait_until([&] { return !tests::exists(pid); }));
}

TEST_CASE("a group whose leader somebody else has reaped is still stopped") {
  stage on;
  auto child = on.start_parent("test-spawn-grandchild", {"--pid-file"});
  const auto pid = child.pid;
  ::kill(pid, SIGKILL);
  reap(pid);
  auto done = on.shut_down(std::move(child), escalate(10ms, 200ms));
  REQUIRE(ends(done));
  CHECK_FALSE(tests::group_runs(pid));
}

TEST_CASE("without signals the sequence gives up, and reaps whenever it can") {
  stage on;
  auto child = on.start(tests::binary("test-ignore-eof"), {});
  auto pid = child.pid;
  auto done = on.shut_down(std::move(child),
                           {stop_policy::close_stdin_only, 10ms, 10ms});
  REQUIRE(ends(done));
  CHECK(tests::exists(pid));
  SECTION("when the server leaves at last") {
    ::kill(pid, SIGTERM);
    CHECK(wait_until([&] { return !tests::exists(pid); }));
  }
  SECTION("but does not hold up the end of the loop") {
    on.stop_loop();
    CHECK(tests::exists(pid));
    ::kill(pid, SIGTERM);
    CHECK(wait_until([&] { return !tests::exists(pid); }));
  }
}

TEST_CASE("a loop that ends waits for what it has to stop") {
  stage on;
  auto child = on.start_script(
    R"(trap '' TERM; echo up > "$1"; while :; do sleep 0.01; done)");
  auto pid = child.pid;
  auto done = on.shut_down(std::move(child), escalate(50ms, 50ms));
  on.stop_loop();
  REQUIRE(ends(done));
  CHECK_FALSE(tests::exists(pid));
}

TEST_CASE("many servers are stopped at once") {
  stage on;
  std::vector<std::future<void>> all;
  for (auto i = 0; i < 20; ++i)
    all.push_back(on.shut_down(on.start(tests::binary("test-ignore-term"), {}),
                               escalate(100ms, 100ms)));
  for (auto& done : all)
    CHECK(ends(done));
  CHECK(tests::children().empty());
}
