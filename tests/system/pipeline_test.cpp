#include "tests/support/host.hpp"
#include "tests/support/pipeline_caller.hpp"
#include "tests/support/wait_until.hpp"

#include <caf/event_based_actor.hpp>
#include <catch2/generators/catch_generators.hpp>

#include <algorithm>
#include <csignal>
#include <future>
#include <memory>
#include <string>
#include <vector>

using namespace caf_mcp;
using tests::answers;
using tests::echoes;
using tests::host;
using tests::start_pipeline;
using tests::value;

namespace {

std::uint64_t in_flight(host& app, const connection& server) {
  return value(ask(*app.self, server, get_session{})).in_flight;
}

std::size_t count(const answers& all, std::string_view what) {
  return static_cast<std::size_t>(std::count(all.begin(), all.end(), what));
}

send_request slow() {
  return call_tool("slow", {{"ms", 60'000}});
}

} // namespace

TEST_CASE("a pipeline answers each request once, with its own result") {
  host app;
  auto server = app.open(host::program("demo-server"));
  const auto window = GENERATE(1UL, 7UL, 64UL, 500UL, 5000UL);
  answers expected;
  for (auto i = 0; i < 2000; ++i)
    expected.push_back(std::to_string(i));
  CHECK(start_pipeline(app.system(), server, echoes(2000), window).get()
        == expected);
}

TEST_CASE("pipelines of several actors do not mix up their answers") {
  host app;
  auto server = app.open(host::program("demo-server"));
  answers expected;
  for (auto i = 0; i < 1000; ++i)
    expected.push_back(std::to_string(i));
  std::vector<std::future<answers>> running;
  for (auto i = 0; i < 8; ++i)
    running.push_back(start_pipeline(app.system(), server, echoes(1000), 32));
  for (auto& each : running)
    CHECK(each.get() == expected);
}

TEST_CASE("a request of a pipeline that is wrong fails alone") {
  host app;
  auto server = app.open(host::program("demo-server"));
  auto requests = echoes(3);
  requests[0].method = "";
  requests[1].method = "no/such/method";
  auto heard = start_pipeline(app.system(), server, requests, 3).get();
  CHECK(heard.size() == 3);
  CHECK(count(heard, "config_invalid") == 1);
  CHECK(count(heard, "rpc_error") == 1);
  CHECK(count(heard, "2") == 1);
}

TEST_CASE("a lost server fails what a pipeline has in flight") {
  host app;
  auto options = host::program("demo-server");
  options.max_reconnects = 0;
  auto server = app.open(options);
  auto running = start_pipeline(app.system(), server,
                                std::vector<send_request>(100, slow()), 100);
  REQUIRE(tests::wait_until([&] { return in_flight(app, server) == 100; }));
  const auto pid = value(ask(*app.self, server, get_session{})).pid;
  ::kill(static_cast<pid_t>(pid), SIGKILL);
  CHECK(running.get() == answers(100, "connection_closed"));
}

TEST_CASE("a connection that is killed fails what a pipeline has in flight") {
  host app;
  auto server = app.open(host::program("demo-server"));
  auto running = start_pipeline(app.system(), server,
                                std::vector<send_request>(100, slow()), 100);
  REQUIRE(tests::wait_until([&] { return in_flight(app, server) == 100; }));
  caf::anon_send_exit(server, caf::exit_reason::kill);
  CHECK(running.get() == answers(100, "connection_closed"));
}

TEST_CASE("a pipeline of a closed connection fails, and does not wait") {
  host app;
  auto server = app.open(host::program("demo-server"));
  value(ask(*app.self, server, close_connection{}));
  CHECK(start_pipeline(app.system(), server, echoes(100), 10).get()
        == answers(100, "connection_closed"));
}

TEST_CASE("requests of a pipeline end with their actor") {
  host app;
  auto server = app.open(host::program("demo-server"));
  auto owner = app.system().spawn([server](caf::event_based_actor* self) {
    auto requests = std::make_shared<pipeline<>>(self, server);
    for (auto i = 0; i < 100; ++i)
      requests->ask(
        slow(), [](const payload&) {}, [](const caf::error&) {});
    return caf::behavior{[](int) {}};
  });
  REQUIRE(tests::wait_until([&] { return in_flight(app, server) == 100; }));
  caf::anon_send_exit(owner, caf::exit_reason::kill);
  CHECK(tests::wait_until([&] { return in_flight(app, server) == 0; }));
}

TEST_CASE("a request of a pipeline is cancelled by its tag") {
  host app;
  auto server = app.open(host::program("demo-server"));
  std::promise<std::string> done;
  auto heard = done.get_future();
  auto owner = app.system().spawn(
    [server, &done](caf::event_based_actor* self) -> caf::behavior {
      auto requests = std::make_shared<pipeline<>>(self, server);
      auto message = slow();
      message.options.tag = 7;
      requests->ask(
        message, [&done](const payload&) { done.set_value("result"); },
        [&done](const caf::error& error) {
          done.set_value(describe(error).name);
        });
      return {[self, server](int tag) {
        tell(self, server, cancel_request{static_cast<std::uint64_t>(tag), ""});
      }};
    });
  REQUIRE(tests::wait_until([&] { return in_flight(app, server) == 1; }));
  tell(*app.self, owner, 7);
  CHECK(heard.get() == "cancelled");
  caf::anon_send_exit(owner, caf::exit_reason::user_shutdown);
}
