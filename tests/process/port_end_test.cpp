#include "tests/support/port_host.hpp"
#include "tests/support/scratch_directory.hpp"
#include "tests/support/wait_until.hpp"

#include <catch2/catch_test_macros.hpp>

#include <chrono>
#include <csignal>
#include <string>
#include <sys/wait.h>
#include <thread>

using namespace caf_mcp;
using namespace std::chrono_literals;
using tests::port_host;
using tests::script;
using tests::server;
using tests::server_port;
using tests::wait_until;

namespace {

using ids = std::vector<std::int64_t>;
using clock = std::chrono::steady_clock;

bool vanishes(std::int64_t pid) {
  return wait_until([&] { return !tests::exists(pid); });
}

/// Lets a server answer once, so that it has set up what it is to do.
void greet(server_port& started) {
  started.request(1, "ping");
  CHECK(started.response().id == 1);
}

/// Calls the tool `leave` of `test-spawn-grandchild`.
void tell_to_leave(server_port& started) {
  started.request(2, "tools/call",
                  payload{boost::json::value{{"name", "leave"}}});
}

} // namespace

// -- the server ends ----------------------------------------------------------

TEST_CASE("an exit is told with its status") {
  port_host app;
  auto started = app.start(server("test-exit-at-once", {"42"}));
  auto pid = started.opened();
  auto end = started.closed();
  CHECK(end.generation == 7);
  CHECK(end.reason.cause == close_cause::exit_status);
  CHECK(end.reason.number == 42);
  CHECK(vanishes(pid));
}

TEST_CASE("a death is told with its signal") {
  port_host app;
  auto started = app.start(server("test-never-answer"));
  auto pid = started.opened();
  ::kill(static_cast<pid_t>(pid), SIGKILL);
  auto end = started.closed();
  CHECK(end.reason.cause == close_cause::signal);
  CHECK(end.reason.number == SIGKILL);
  CHECK(vanishes(pid));
}

TEST_CASE("all lines written before an exit are told first") {
  port_host app;
  auto started = app.run(script(
    R"(i=0; while [ $i -lt 2000 ]
       do echo '{"jsonrpc":"2.0","method":"n"}'; i=$((i + 1)); done; exit 3)"));
  for (auto i = 0; i < 2000; ++i)
    CHECK(std::holds_alternative<incoming_notification>(started.received()));
  CHECK(started.closed().reason.number == 3);
}

TEST_CASE("a process that holds stdout does not hide an exit") {
  port_host app;
  auto started = app.start(server("test-spawn-grandchild", {"--hold-stdout"}));
  auto pid = started.opened();
  greet(started);
  auto start = clock::now();
  tell_to_leave(started);
  auto end = started.closed();
  // 200 ms by promise; the machine may be busy.
  CHECK(clock::now() - start < 5s);
  CHECK(end.reason.cause == close_cause::exit_status);
  CHECK(end.reason.number == 3);
  CHECK(vanishes(pid));
  CHECK_FALSE(tests::group_runs(pid));
}

TEST_CASE("a process that holds stdout does not hide a last line") {
  port_host app;
  auto started = app.run(
    script(R"(printf '{"jsonrpc":"2.0","method":"last"}'; sleep 60 & exit 3)"));
  auto message = started.received();
  CHECK(std::get<incoming_notification>(message).method == "last");
  CHECK(started.closed().reason.number == 3);
}

TEST_CASE("a process that floods pipes after an exit does not hold it up") {
  const std::string flood = R"(yes '{"jsonrpc":"2.0","method":"flood"}')";
  std::string floods;
  SECTION("stdout") {
    floods = flood + " &";
  }
  SECTION("stderr") {
    floods = flood + " >&2 &";
  }
  SECTION("both") {
    floods = flood + " & " + flood + " >&2 &";
  }
  SECTION("with lines that are no messages") {
    floods = "yes junk & yes junk >&2 &";
  }
  SECTION("without any line end") {
    floods = "tr '\\0' x < /dev/zero & tr '\\0' x < /dev/zero >&2 &";
  }
  port_host app;
  auto started = app.start(script(
    R"(echo '{"jsonrpc":"2.0","method":"first"}'; )" + floods + " exit 3"));
  const auto pid = started.opened();
  auto neighbour = app.run(server("test-echo-line-back"));
  auto message = started.received();
  CHECK(std::get<incoming_notification>(message).method == "first");
  const auto end = started.end();
  // Junk may be judged before the exit is seen.
  CHECK((end.reason.number == 3 || end.reason.cause == close_cause::junk_output
         || end.reason.cause == close_cause::message_too_large));
  neighbour.request(1, "ping");
  CHECK(neighbour.response().id == 1);
  CHECK(vanishes(pid));
  CHECK_FALSE(tests::group_runs(pid));
}

TEST_CASE("a process that floods pipes of a server that runs holds up nobody") {
  port_host app;
  auto flooded = app.start(script(
    R"(yes '{"jsonrpc":"2.0","method":"flood"}' & yes words >&2 & cat)"));
  const auto pid = flooded.opened();
  auto neighbour = app.run(server("test-echo-line-back"));
  flooded.received();
  for (auto id = 1; id <= 20; ++id) {
    neighbour.request(id, "ping");
    CHECK(neighbour.response().id == id);
  }
  CHECK(flooded.stop());
  CHECK_FALSE(tests::exists(pid));
  CHECK_FALSE(tests::group_runs(pid));
}

TEST_CASE("a host that waits for any child takes an exit, not the end") {
  port_host app;
  auto started
    = app.start(script("sleep 60 & echo '{\"jsonrpc\":\"2.0\",\"method\":"
                       "\"up\"}'; read -r line; exit 3"));
  const auto pid = started.opened();
  started.received();
  std::jthread reaper{[] { ::waitpid(-1, nullptr, 0); }};
  ::kill(static_cast<pid_t>(pid), SIGKILL);
  reaper.join();
  const auto end = started.end();
  // By whose status the host alone knows; unless it was seen before.
  if (end.reason.cause == close_cause::exit_status)
    CHECK(end.reason.number == -1);
  else
    CHECK(end.reason.cause == close_cause::signal);
  // What is left of the group is still ours.
  CHECK(wait_until([&] { return !tests::group_runs(pid); }));
}

TEST_CASE("what a crashed server leaves in its group is stopped") {
  port_host app;
  auto started = app.start(server("test-spawn-grandchild"));
  auto pid = started.opened();
  greet(started);
  SECTION("it exits") {
    tell_to_leave(started);
  }
  SECTION("it is killed") {
    ::kill(static_cast<pid_t>(pid), SIGKILL);
  }
  started.closed();
  CHECK(vanishes(pid));
  CHECK_FALSE(tests::group_runs(pid));
}

TEST_CASE("a server that closes its stdout but lives on is stopped") {
  port_host app;
  auto started = app.start(server("test-close-stdout-live-on"));
  auto pid = started.opened();
  started.request(1);
  auto end = started.closed();
  CHECK(end.reason.cause == close_cause::server_closed_stdout);
  CHECK(end.unsent.empty());
  CHECK(vanishes(pid));
}

TEST_CASE("a server that closes its stdin is lost at the next write") {
  port_host app;
  auto started = app.start(server("test-close-stdin-live-on"));
  auto pid = started.opened();
  started.request(1);
  CHECK(started.response().id == 1);
  started.request(2);
  auto end = started.closed();
  CHECK(end.reason.cause == close_cause::server_closed_stdin);
  CHECK(end.unsent == ids{2});
  CHECK(vanishes(pid));
}

TEST_CASE("a server that exits in the middle of a write is an exit") {
  port_host app;
  auto started = app.run(server("test-exit-after-initialize-response", {"4"}));
  started.request(1, "initialize");
  CHECK(started.response().id == 1);
  for (auto id = 2; id < 50; ++id)
    started.request(id);
  auto end = started.closed();
  CHECK(end.reason.cause == close_cause::exit_status);
  CHECK(end.reason.number == 4);
}

// -- the server is stopped ----------------------------------------------------

TEST_CASE("a stop is answered when the server is gone") {
  port_host app;
  std::string name;
  SECTION("one that leaves by itself") {
    name = "test-echo-line-back";
  }
  SECTION("one that takes its time") {
    name = "test-slow-exit";
  }
  SECTION("one that needs SIGTERM") {
    name = "test-ignore-eof";
  }
  SECTION("one that needs SIGKILL") {
    name = "test-ignore-term";
  }
  SECTION("one that writes before it leaves") {
    name = "test-write-on-eof";
  }
  SECTION("one with a family") {
    name = "test-spawn-grandchild";
  }
  auto started = app.start(server(name));
  auto pid = started.opened();
  greet(started);
  CHECK(started.stop());
  CHECK_FALSE(tests::exists(pid));
  CHECK_FALSE(tests::group_runs(pid));
  auto end = started.closed();
  CHECK(end.reason.cause == close_cause::closed);
  CHECK(end.unsent.empty());
}

TEST_CASE("a stop is told to the listener before the server is gone") {
  port_host app;
  auto options = server("test-ignore-eof");
  options.stdin_grace = 20s;
  auto started = app.start(options);
  auto pid = started.opened();
  greet(started);
  started.ask_to_stop();
  CHECK(started.closed().reason.cause == close_cause::closed);
  CHECK(tests::exists(pid));
  ::kill(static_cast<pid_t>(pid), SIGTERM);
  CHECK(vanishes(pid));
}

TEST_CASE("stops may come at any time and are all answered") {
  port_host app;
  auto started = app.run(server("test-ignore-term"));
  greet(started);
  for (auto i = 0; i < 5; ++i)
    started.ask_to_stop();
  CHECK(started.stop());
}

TEST_CASE("a server without signals is left alone after its grace") {
  port_host app;
  auto options = server("test-ignore-eof");
  options.kill_policy = stop_policy::close_stdin_only;
  auto started = app.start(options);
  auto pid = started.opened();
  greet(started);
  CHECK(started.stop());
  CHECK(tests::exists(pid));
  ::kill(static_cast<pid_t>(pid), SIGKILL);
  CHECK(vanishes(pid));
}

TEST_CASE("a server without signals that outlives its loop is no zombie") {
  port_host app;
  auto options = server("test-ignore-eof");
  options.kill_policy = stop_policy::close_stdin_only;
  SECTION("it gets the signal of its host's death when the loop ends") {
    options.on_host_death = host_death_policy::term;
  }
  SECTION("it ends when it wants to") {
    options.on_host_death = host_death_policy::eof;
  }
  auto started = app.start(options);
  auto pid = started.opened();
  greet(started);
  CHECK(started.stop());
  app.stop_loop();
  if (options.on_host_death == host_death_policy::eof) {
    CHECK(tests::exists(pid));
    ::kill(static_cast<pid_t>(pid), SIGTERM);
  }
  CHECK(vanishes(pid));
}

// -- actors end ---------------------------------------------------------------

TEST_CASE("a server does not outlive the actors it belongs to") {
  port_host app;
  auto started = app.start(server("test-ignore-term"));
  auto pid = started.opened();
  greet(started);
  SECTION("the port owner is killed") {
    started.kill();
  }
  SECTION("the listener is killed") {
    started.kill_listener();
  }
  SECTION("the listener ends") {
    started.end_listener();
  }
  CHECK(vanishes(pid));
}

TEST_CASE("a port owner that is killed while it stops still stops") {
  port_host app;
  auto started = app.start(server("test-ignore-term"));
  auto pid = started.opened();
  greet(started);
  started.ask_to_stop();
  started.closed();
  started.kill();
  CHECK(vanishes(pid));
}

TEST_CASE("a server whose listener is dead already is stopped") {
  port_host app;
  for (auto i = 0; i < 20; ++i) {
    auto started = app.start(server("test-never-answer"));
    started.kill_listener();
  }
  app.stop_loop();
  CHECK(tests::children().empty());
}

TEST_CASE("the end of a loop ends its servers") {
  port_host app;
  std::vector<server_port> all;
  for (const auto* name :
       {"test-echo-line-back", "test-ignore-eof", "test-ignore-term",
        "test-spawn-grandchild", "test-stop-reading", "test-write-on-eof"})
    all.push_back(app.run(server(name)));
  app.stop_loop();
  CHECK(tests::children().empty());
}

TEST_CASE("a hundred servers come and go and leave nothing") {
  port_host app;
  for (auto i = 0; i < 100; ++i) {
    auto started = app.start(server("test-never-answer"));
    auto pid = started.opened();
    ::kill(static_cast<pid_t>(pid), i % 2 == 0 ? SIGKILL : SIGTERM);
    CHECK(started.closed().reason.cause == close_cause::signal);
  }
}
