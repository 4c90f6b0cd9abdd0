#include "caf_mcp/actors/pipeline.hpp"

#include "caf_mcp/messages/error_info.hpp"

#include "tests/support/host.hpp"
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
using tests::host;
using tests::value;

namespace {

/// One word for each answer, in the order of the answers: the text of a result,
/// or the name of an error.
using answers = std::vector<std::string>;

std::string text_of(const payload& result) {
  return std::string{
    result.member("content").value().as_array().at(0).at("text").as_string()};
}

/// Makes requests through a pipeline, and ends when all are answered.
class caller final : public caf::event_based_actor {
public:
  caller(caf::actor_config& cfg, connection server,
         std::vector<send_request> requests, std::size_t in_flight,
         std::promise<answers> done)
    : caf::event_based_actor{cfg},
      requests_{this, std::move(server)},
      work_{std::move(requests)},
      in_flight_{in_flight},
      done_{std::move(done)} {
    // nop
  }

  caf::behavior make_behavior() override {
    while (next_ < work_.size() && next_ < in_flight_)
      ask_next();
    return {}; // lives on until its last answer
  }

private:
  void ask_next() {
    requests_.ask(
      work_[next_++],
      [this](const payload& result) { on_answer(text_of(result)); },
      [this](const caf::error& error) { on_answer(describe(error).name); });
  }

  void on_answer(std::string what) {
    heard_.push_back(std::move(what));
    if (next_ < work_.size())
      ask_next();
    else if (heard_.size() == work_.size())
      done_.set_value(std::move(heard_));
  }

  pipeline<> requests_;
  std::vector<send_request> work_;
  std::size_t in_flight_;
  std::size_t next_ = 0;
  answers heard_;
  std::promise<answers> done_;
};

/// Spawns a caller; its answers are what the future holds.
std::future<answers> start(host& app, const connection& server,
                           std::vector<send_request> requests,
                           std::size_t in_flight) {
  std::promise<answers> done;
  auto result = done.get_future();
  app.system().spawn<caller>(server, std::move(requests), in_flight,
                             std::move(done));
  return result;
}

std::vector<send_request> echoes(std::size_t count) {
  std::vector<send_request> result;
  for (std::size_t i = 0; i < count; ++i)
    result.push_back(call_tool("echo", {{"message", std::to_string(i)}}));
  return result;
}

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
  CHECK(start(app, server, echoes(2000), window).get() == expected);
}

TEST_CASE("pipelines of several actors do not mix up their answers") {
  host app;
  auto server = app.open(host::program("demo-server"));
  answers expected;
  for (auto i = 0; i < 1000; ++i)
    expected.push_back(std::to_string(i));
  std::vector<std::future<answers>> running;
  for (auto i = 0; i < 8; ++i)
    running.push_back(start(app, server, echoes(1000), 32));
  for (auto& each : running)
    CHECK(each.get() == expected);
}

TEST_CASE("a request of a pipeline that is wrong fails alone") {
  host app;
  auto server = app.open(host::program("demo-server"));
  auto requests = echoes(3);
  requests[0].method = "";
  requests[1].method = "no/such/method";
  auto heard = start(app, server, requests, 3).get();
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
  auto running
    = start(app, server, std::vector<send_request>(100, slow()), 100);
  REQUIRE(tests::wait_until([&] { return in_flight(app, server) == 100; }));
  const auto pid = value(ask(*app.self, server, get_session{})).pid;
  ::kill(static_cast<pid_t>(pid), SIGKILL);
  CHECK(running.get() == answers(100, "connection_closed"));
}

TEST_CASE("a connection that is killed fails what a pipeline has in flight") {
  host app;
  auto server = app.open(host::program("demo-server"));
  auto running
    = start(app, server, std::vector<send_request>(100, slow()), 100);
  REQUIRE(tests::wait_until([&] { return in_flight(app, server) == 100; }));
  caf::anon_send_exit(server, caf::exit_reason::kill);
  CHECK(running.get() == answers(100, "connection_closed"));
}

TEST_CASE("a pipeline of a closed connection fails, and does not wait") {
  host app;
  auto server = app.open(host::program("demo-server"));
  value(ask(*app.self, server, close_connection{}));
  CHECK(start(app, server, echoes(100), 10).get()
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
        caf_version::tell(self, server,
                          cancel_request{static_cast<std::uint64_t>(tag), ""});
      }};
    });
  REQUIRE(tests::wait_until([&] { return in_flight(app, server) == 1; }));
  caf_version::tell(app.self->ptr(), owner, 7);
  CHECK(heard.get() == "cancelled");
  caf::anon_send_exit(owner, caf::exit_reason::user_shutdown);
}
