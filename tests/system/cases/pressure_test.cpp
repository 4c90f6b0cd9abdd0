// Much at a time, and peers that do not read.
#include "tests/support/player.hpp"
#include "tests/support/processes.hpp"
#include "tests/support/wait_until.hpp"

#include <catch2/catch_test_macros.hpp>

#include <csignal>
#include <thread>
#include <vector>

using namespace caf_mcp;
using namespace std::chrono_literals;
using tests::call_t;
using tests::failure;
using tests::host;
using tests::player;
using tests::value;

TEST_CASE("messages of many callers never mix on the wire") {
  player script{"many-senders"};
  host app;
  auto server = app.open(script.options());
  std::atomic<int> answered = 0;
  std::vector<std::thread> threads;
  for (auto i = 0; i < 8; ++i)
    threads.emplace_back([&] {
      caf::scoped_actor caller{app.system()};
      for (auto k = 0; k < 10; ++k)
        if (ask(caller, server,
                call_tool("t", {{"q", std::string(200 * 1024, 'x')}})))
          ++answered;
    });
  for (auto& thread : threads)
    thread.join();
  CHECK(answered == 80);
  CHECK_FALSE(script.marked("corrupt-line"));
}

TEST_CASE("a server that does not read cannot hold up a close") {
  player script{"stops-reading"};
  host app;
  auto options = script.options();
  options.stdin_grace = 300ms;
  auto server = app.open(options);
  caf::scoped_actor caller{app.system()};
  auto pending = caf_version::ask(
    *caller.ptr(), server, caf::infinite,
    call_tool("t", {{"q", std::string(4 * 1024 * 1024, 'x')}}));
  // Answered by the connection, so the call before it was accepted.
  value(ask(caller, server, get_session{}));
  REQUIRE(ask(*app.self, server, close_connection{}));
  auto failed = false;
  std::move(pending).receive([](payload&) {},
                             [&](caf::error&) { failed = true; });
  CHECK(failed);
  CHECK(tests::children().empty());
}

TEST_CASE("a server that is gone kills nobody with SIGPIPE") {
  player script{"gone-before-write"};
  struct sigaction before {};
  ::sigaction(SIGPIPE, nullptr, &before);
  host app;
  auto server = app.open(script.options());
  for (auto i = 0; i < 3; ++i)
    CHECK(failure(call_t(app, server)).name == "connection_closed");
  struct sigaction after {};
  ::sigaction(SIGPIPE, nullptr, &after);
  CHECK(before.sa_handler == after.sa_handler);
}

TEST_CASE("a server killed in the middle fails all calls with its signal") {
  player script{"killed-during-calls"};
  host app;
  auto server = app.open(script.options());
  std::vector<std::unique_ptr<caf::scoped_actor>> callers;
  auto failed = 0;
  std::vector<decltype(ask(app.self->ptr(), server, call_tool("t")))> pending;
  for (auto i = 0; i < 3; ++i) {
    callers.push_back(std::make_unique<caf::scoped_actor>(app.system()));
    pending.push_back(ask(callers.back()->ptr(), server, call_tool("t")));
  }
  for (auto& each : pending)
    std::move(each).receive([](payload&) {},
                            [&](caf::error& error) {
                              auto data = describe(error).data;
                              CHECK(data.value().at("reason").as_string()
                                    == "signal");
                              CHECK(data.value().at("signal").as_int64() == 9);
                              ++failed;
                            });
  CHECK(failed == 3);
}
