#include "caf_mcp/actors/port/unique_fd.hpp"

#include "tests/support/port_host.hpp"
#include "tests/support/scratch_directory.hpp"
#include "tests/support/wait_until.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <csignal>
#include <fcntl.h>
#include <fstream>
#include <sys/ioctl.h>

using namespace caf_mcp;
using namespace std::chrono_literals;
using tests::port_host;
using tests::server;
using tests::server_port;
using tests::wait_until;

namespace {

using ids = std::vector<std::int64_t>;

payload text(std::size_t bytes) {
  return payload{boost::json::value{{"text", std::string(bytes, 'x')}}};
}

/// Starts a server that reads one request and then never again.
server_port run_deaf_server(port_host& app, server_options options) {
  options.command = server("test-stop-reading").command;
  auto started = app.run(std::move(options));
  started.request(1, "initialize");
  CHECK(started.response().id == 1);
  return started;
}

/// Returns how much a process has not read of what was written to it.
int bytes_in_stdin(std::int64_t pid) {
  unique_fd pipe{::open(("/proc/" + std::to_string(pid) + "/fd/0").c_str(),
                        O_RDONLY | O_NONBLOCK | O_CLOEXEC)};
  auto count = 0;
  return ::ioctl(pipe.get(), FIONREAD, &count) == 0 ? count : 0;
}

/// Waits for the end of a server, and returns how many lines it says in `file`
/// it has read.
int lines_read(std::int64_t pid, const std::string& file) {
  CHECK(wait_until([&] { return !tests::exists(pid); }));
  auto lines = 0;
  std::ifstream{file} >> lines;
  return lines;
}

undecodable_message refusal(server_port& started) {
  auto message = started.received();
  REQUIRE(std::holds_alternative<undecodable_message>(message));
  return std::get<undecodable_message>(message);
}

} // namespace

TEST_CASE("messages are written in their order, each as one line") {
  port_host app;
  auto started = app.run(server("test-echo-line-back"));
  const std::string difficult = "a\nb\r\n\t\"\\\x01\x7f\u2028\u00e9";
  for (auto id = 1; id <= 500; ++id) {
    started.write(outgoing_notification{"notifications/between", {}});
    started.request(id, "m",
                    payload{boost::json::value{{"id", id}, {"x", difficult}}});
  }
  for (auto id = 1; id <= 500; ++id) {
    auto answer = started.response();
    CHECK(answer.id == id);
    auto line = parse_payload(answer.result.string_member("line"));
    CHECK(line.member("params").member("id").value() == id);
    CHECK(line.member("params").string_member("x") == difficult);
  }
  CHECK(started.stop());
}

TEST_CASE("a server that takes nothing while too much waits is closed") {
  port_host app;
  auto options = server("");
  options.max_unwritten_bytes = 100'000;
  options.write_stall = 100ms;
  auto started = run_deaf_server(app, options);
  // More than any pipe holds, and than is held.
  for (auto id = 2; id < 202; ++id)
    started.request(id, "m", text(10'000));
  auto end = started.closed();
  CHECK(end.reason.cause == close_cause::write_queue_full);
  CHECK(end.reason.number == 100'000);
  // All were taken and most not written; the ids are the places here.
  CHECK(end.messages_taken == 201);
  REQUIRE(end.unsent.size() >= 100);
  CHECK(std::ranges::is_sorted(end.unsent));
  CHECK(end.unsent.back() == 201);
  CHECK(end.unsent.front()
        == 202 - static_cast<std::int64_t>(end.unsent.size()));
}

TEST_CASE("a burst does not close a server that reads, whatever its size") {
  port_host app;
  auto options = server("test-echo-line-back");
  options.max_unwritten_bytes = 100'000;
  auto started = app.run(options);
  for (auto id = 1; id <= 300; ++id)
    started.request(id, "m", text(50'000));
  for (auto id = 1; id <= 300; ++id)
    CHECK(started.response().id == id);
  CHECK(started.stop());
  CHECK(started.closed().unsent.empty());
}

TEST_CASE("a server that begins to read within write_stall gets all") {
  port_host app;
  tests::scratch_directory there;
  const auto file = there.path() + "/lines";
  auto options = server("test-read-on-signal", {file});
  options.max_unwritten_bytes = 50'000;
  options.write_stall = 20s;
  options.flush_timeout = 20s;
  options.stdin_grace = 20s;
  auto started = app.start(options);
  auto pid = started.opened();
  started.received();
  for (auto id = 1; id <= 100; ++id)
    started.request(id, "m", text(20'000));
  REQUIRE(wait_until([&] { return bytes_in_stdin(pid) > 0; }));
  SECTION("without being stopped") {
    ::kill(static_cast<pid_t>(pid), SIGUSR1);
    REQUIRE(wait_until([&] { return bytes_in_stdin(pid) == 0; }));
    started.ask_to_stop();
  }
  SECTION("while it is being stopped") {
    started.ask_to_stop();
    ::kill(static_cast<pid_t>(pid), SIGUSR1);
  }
  CHECK(started.closed().unsent.empty());
  CHECK(lines_read(pid, file) == 100);
}

TEST_CASE("what waits beyond the limit is not sent when the server dies") {
  port_host app;
  auto options = server("");
  options.max_unwritten_bytes = 100'000;
  options.command = server("test-stop-reading").command;
  auto started = app.start(options);
  auto pid = started.opened();
  started.request(1, "initialize");
  CHECK(started.response().id == 1);
  for (auto id = 2; id <= 100; ++id)
    started.request(id, "m", text(50'000));
  started.ask_to_stop();
  ::kill(static_cast<pid_t>(pid), SIGKILL);
  auto end = started.closed();
  REQUIRE(end.unsent.size() >= 50);
  CHECK(end.unsent.back() == 100);
}

TEST_CASE("a request that was written in part may have been seen") {
  port_host app;
  auto started = app.start(server("test-stop-reading"));
  auto pid = started.opened();
  started.request(1, "initialize");
  CHECK(started.response().id == 1);
  started.request(2, "m", text(1 << 20)); // more than any pipe holds
  started.request(3, "m");
  started.write(outgoing_notification{"n", {}});
  started.request(4, "m");
  // Its own refusal shows that the port owner has dealt with all of these.
  started.request(5, "\xff");
  CHECK(refusal(started).id == 5);
  REQUIRE(wait_until([&] { return bytes_in_stdin(pid) > 0; }));
  ::kill(static_cast<pid_t>(pid), SIGKILL);
  auto end = started.closed();
  CHECK(end.reason.cause == close_cause::signal);
  CHECK(end.unsent == ids{3, 4});
}

TEST_CASE("a request that was written whole is not known to be unseen") {
  port_host app;
  auto started = app.start(server("test-never-answer"));
  auto pid = started.opened();
  started.request(1);
  started.request(2, "\xff");
  CHECK(refusal(started).id == 2);
  // Written at the end of a turn of the loop, at the latest with the stop.
  ::kill(static_cast<pid_t>(pid), SIGSTOP);
  started.ask_to_stop();
  CHECK(started.closed().unsent.empty());
}

TEST_CASE("a stop ends in time though the server does not read") {
  port_host app;
  auto options = server("");
  options.flush_timeout = 50ms;
  auto started = run_deaf_server(app, options);
  started.request(2, "m", text(1 << 20));
  started.request(3, "m");
  CHECK(started.stop());
  auto end = started.closed();
  CHECK(end.reason.cause == close_cause::closed);
  CHECK(end.unsent == ids{3});
}

TEST_CASE("what is queued reaches the server before a stop") {
  port_host app;
  tests::scratch_directory there;
  const auto file = there.path() + "/lines";
  auto options = server("test-read-on-signal", {file});
  options.flush_timeout = 20s;
  options.stdin_grace = 20s;
  auto started = app.start(options);
  auto pid = started.opened();
  started.received();
  for (auto id = 1; id <= 5; ++id)
    started.request(id, "m", text(200'000));
  started.request(6, "\xff");
  CHECK(refusal(started).id == 6);
  started.ask_to_stop();
  ::kill(static_cast<pid_t>(pid), SIGUSR1);
  CHECK(started.closed().unsent.empty());
  CHECK(lines_read(pid, file) == 5);
}

TEST_CASE("an answer that cannot be written becomes an internal error") {
  port_host app;
  auto started = app.run(server("test-echo-line-back"));
  payload bad{boost::json::value{{"text", "\xff"}}};
  started.write(outgoing_response{"7", bad});
  auto line = parse_payload(started.response().result.string_member("line"));
  CHECK(line.member("id").value() == 7);
  CHECK(line.member("error").member("code").value() == -32603);
  CHECK(line.member("error").string_member("message")
        == "result: every string must be valid UTF-8");
}

TEST_CASE("a request that cannot be written fails alone") {
  port_host app;
  auto options = server("test-echo-line-back");
  options.max_unwritten_bytes = 10'000;
  auto started = app.run(options);
  started.request(1, "ping");
  started.request(2, "m", text(10'000));
  started.request(3, "m", payload{boost::json::value{{"x", "\xff"}}});
  started.write(outgoing_notification{"\xff", {}});
  started.request(4, "ping");
  std::map<std::int64_t, errc> refused;
  ids answered;
  for (auto i = 0; i < 4; ++i) {
    auto message = started.received();
    if (const auto* response = std::get_if<incoming_response>(&message))
      answered.push_back(response->id);
    else if (const auto* lost = std::get_if<undecodable_message>(&message))
      refused.emplace(lost->id.value_or(0), lost->code);
  }
  CHECK(answered == ids{1, 4});
  CHECK(refused
        == std::map<std::int64_t, errc>{{2, errc::message_too_large},
                                        {3, errc::config_invalid}});
  CHECK(started.stop());
}
