#include "tests/support/port_host.hpp"
#include "tests/support/wait_until.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <fstream>
#include <unistd.h>

using namespace caf_mcp;
using tests::port_host;
using tests::script;
using tests::server;
using tests::server_port;
using tests::wait_until;

namespace {

/// Returns how many bytes a process has written so far (proc(5)).
std::size_t bytes_written(std::int64_t pid) {
  std::ifstream file{"/proc/" + std::to_string(pid) + "/io"};
  std::string key;
  std::size_t value = 0;
  while (file >> key >> value)
    if (key == "wchar:")
      return value;
  return 0;
}

/// Returns the resident memory of this process in bytes.
std::size_t resident_bytes() {
  std::ifstream file{"/proc/self/statm"};
  std::size_t total = 0;
  std::size_t resident = 0;
  file >> total >> resident;
  return resident * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

undecodable_message expect_undecodable(server_port& started) {
  auto message = started.received();
  REQUIRE(std::holds_alternative<undecodable_message>(message));
  return std::get<undecodable_message>(message);
}

bool says(const close_reason& reason, std::string_view text) {
  return reason.detail.find(text) != std::string::npos;
}

} // namespace

// -- junk ---------------------------------------------------------------------

TEST_CASE("a banner on stdout does no harm") {
  port_host app;
  auto started = app.run(server("test-junk-lines", {"5"}));
  for (auto id = 1; id <= 3; ++id) {
    started.request(id);
    CHECK(started.response().id == id);
  }
  CHECK(started.stop());
}

TEST_CASE("a server that talks something else is closed, and stopped") {
  port_host app;
  auto started = app.start(server("test-junk-lines", {"11"}));
  auto pid = started.opened();
  started.request(1);
  auto end = started.end();
  CHECK(end.reason.cause == close_cause::junk_output);
  CHECK(end.reason.number == 10);
  CHECK(says(end.reason, "\\x1b[33mWelcome!"));
  CHECK(wait_until([&] { return !tests::exists(pid); }));
}

// -- lines that are too long --------------------------------------------------

TEST_CASE("a line without end closes, or is dropped in bounded memory") {
  port_host app;
  auto options = server("test-no-newline-flood", {"--at-once"});
  options.max_message_bytes = 1 << 20;
  SECTION("closed") {
    auto started = app.start(options);
    auto pid = started.opened();
    auto end = started.closed();
    CHECK(end.reason.cause == close_cause::message_too_large);
    CHECK(end.reason.number == 1 << 20);
    CHECK(wait_until([&] { return !tests::exists(pid); }));
  }
  SECTION("dropped") {
    options.on_oversize = oversize_policy::discard;
    auto started = app.start(options);
    auto pid = started.opened();
    auto written = [&] { return bytes_written(pid); };
    REQUIRE(wait_until([&] { return written() > std::size_t{32} << 20; }));
    auto before = resident_bytes();
    REQUIRE(wait_until([&] { return written() > std::size_t{256} << 20; }));
    CHECK(resident_bytes() < before + (std::size_t{16} << 20));
    CHECK(started.stop());
  }
}

TEST_CASE("a server that floods does not hold up others of its loop") {
  port_host app;
  auto options = server("test-no-newline-flood", {"--at-once"});
  options.on_oversize = oversize_policy::discard;
  auto flood = app.run(options);
  auto started = app.run(server("test-echo-line-back"));
  for (auto id = 1; id <= 100; ++id) {
    started.request(id, "ping");
    CHECK(started.response().id == id);
  }
  CHECK(started.stop());
  CHECK(flood.stop());
}

TEST_CASE("an answer that is too long fails its request, if it is dropped") {
  port_host app;
  std::vector<std::string> args{"1000000"};
  auto knows_id = true;
  SECTION("its id comes first") {
  }
  SECTION("its id comes last") {
    args.emplace_back("--id-last");
  }
  SECTION("its id is out of reach") {
    args.emplace_back("--id-between");
    knows_id = false;
  }
  auto options = server("test-huge-line", args);
  options.max_message_bytes = 1 << 16;
  options.on_oversize = oversize_policy::discard;
  auto started = app.run(options);
  for (auto id : {1, 2, 3}) {
    started.request(id);
    if (knows_id) {
      auto lost = expect_undecodable(started);
      CHECK(lost.id == id);
      CHECK(lost.code == errc::message_too_large);
    }
  }
  started.request(4, "ping");
  CHECK(started.response().id == 4);
  CHECK(started.stop());
}

TEST_CASE("an answer that is too long closes by default") {
  port_host app;
  auto options = server("test-huge-line", {"1000000"});
  options.max_message_bytes = 1 << 16;
  auto started = app.run(options);
  started.request(1);
  auto end = started.closed();
  CHECK(end.reason.cause == close_cause::message_too_large);
  CHECK(end.unsent.empty());
}

TEST_CASE("a large answer arrives whole") {
  port_host app;
  auto started = app.run(server("test-huge-line", {"8000000"}));
  started.request(1);
  auto text = started.response().result.value().at("content").at(0).at("text");
  CHECK(text.as_string().size() == 8'000'000);
  CHECK(started.stop());
}

// -- the last line ------------------------------------------------------------

TEST_CASE("a last answer needs no newline") {
  port_host app;
  auto started = app.run(server("test-partial-last-line"));
  started.request(1);
  CHECK(started.response().id == 1);
  auto end = started.closed();
  CHECK(end.reason.cause == close_cause::exit_status);
  CHECK(end.reason.number == 0);
}

TEST_CASE("a last answer that is cut is told in the reason") {
  port_host app;
  auto started = app.run(server("test-partial-last-line", {"--cut"}));
  started.request(1);
  auto end = started.closed();
  CHECK(end.reason.cause == close_cause::exit_status);
  CHECK(says(end.reason, "last "));
}

// -- stderr -------------------------------------------------------------------

TEST_CASE("a server that floods stderr never waits") {
  port_host app;
  std::vector<std::string> args{"4000000"};
  auto kind = stderr_kind::capture;
  SECTION("captured") {
  }
  SECTION("captured, without a newline") {
    args.emplace_back("--no-newline");
  }
  SECTION("discarded") {
    kind = stderr_kind::discard;
  }
  auto options = server("test-stderr-flood", args);
  options.stderr_to.kind = kind;
  auto started = app.run(options);
  for (auto id = 1; id <= 2; ++id) {
    started.request(id);
    CHECK(started.response().id == id);
  }
  CHECK(started.stop());
  auto end = started.closed();
  if (kind == stderr_kind::discard) {
    CHECK(end.reason.stderr_tail.empty());
    CHECK(started.log().stderr_lines.empty());
    return;
  }
  CHECK(end.reason.stderr_tail.size() == 8192);
  auto log = started.log().stderr_lines;
  CHECK(log.size() > 100);
  CHECK(std::ranges::all_of(
    log, [](const std::string& line) { return line.size() <= 8192; }));
}

TEST_CASE("the log actor gets stderr line by line, the last one too") {
  port_host app;
  auto started = app.run(script("printf 'one\\ntwo\\r\\n\\nlast' >&2"));
  auto end = started.closed();
  CHECK(end.reason.stderr_tail == "one\ntwo\r\n\nlast");
  CHECK(wait_until([&] { return started.log().stderr_lines.size() == 4; }));
  CHECK(started.log().stderr_lines
        == std::vector<std::string>{"one", "two", "", "last"});
}

TEST_CASE("a log actor that is slower than the server costs bounded memory") {
  port_host app;
  auto options = server("test-stderr-flood", {"4000000"});
  options.stderr_to.kind = stderr_kind::capture;
  auto started = app.start(options);
  started.hold_log(true);
  started.opened();
  // The flood comes before the answer, so the server is not held up.
  started.request(1, "initialize");
  CHECK(started.response().id == 1);
  started.hold_log(false);
  CHECK(started.stop());
  CHECK(wait_until([&] {
    auto log = started.log();
    return log.stderr_lines.size() + log.dropped == 40'000;
  }));
  CHECK(started.log().dropped > 20'000);
}

TEST_CASE("the log actor gets the lines of stdout that are no messages") {
  port_host app;
  auto started = app.run(script("printf 'hello\\nworld\\n'"));
  auto end = started.closed();
  CHECK(wait_until([&] { return started.log().junk_lines.size() == 2; }));
  CHECK(started.log().junk_lines == std::vector<std::string>{"hello", "world"});
}

TEST_CASE("the last words of a server that dies are in its reason") {
  port_host app;
  auto started = app.run(server("test-exit-at-once", {"3", "no API key"}));
  auto end = started.closed();
  CHECK(end.reason.cause == close_cause::exit_status);
  CHECK(end.reason.number == 3);
  CHECK(end.reason.stderr_tail == "no API key\n");
}

TEST_CASE("stderr is never taken for stdout") {
  port_host app;
  auto started = app.run(script(R"(echo '{"jsonrpc":"2.0","method":"err"}' >&2
              echo '{"jsonrpc":"2.0","method":"out"}')"));
  auto message = started.received();
  CHECK(std::get<incoming_notification>(message).method == "out");
  started.closed();
}
