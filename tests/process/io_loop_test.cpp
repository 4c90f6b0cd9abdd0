#include "caf_mcp/actors/loop/io_loop.hpp"

#include "caf_mcp/actors/loop/caf_version.hpp"
#include "caf_mcp/actors/loop/pinned_actor.hpp"

#include <boost/asio/post.hpp>
#include <caf/actor_cast.hpp>
#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/event_based_actor.hpp>
#include <caf/scoped_actor.hpp>
#include <caf/send.hpp>
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <functional>
#include <future>
#include <iostream>
#include <memory>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

using namespace caf_mcp;

namespace {

/// Calls a function for each message.
class listener final : public pinned_actor<caf::event_based_actor> {
public:
  listener(caf::actor_config& cfg, std::shared_ptr<io_loop> loop,
           std::function<void(int)> on_message)
    : pinned_actor{cfg, std::move(loop)}, on_message_{std::move(on_message)} {
    // nop
  }

protected:
  caf::behavior make_behavior() override {
    return {[this](int message) { on_message_(message); }};
  }

private:
  std::function<void(int)> on_message_;
};

struct loop_host {
  explicit loop_host(std::chrono::milliseconds patience
                     = io_loop::default_patience)
    : loop{std::make_shared<io_loop>(system, patience)} {
    loop->start();
  }

  ~loop_host() {
    loop->stop();
  }

  caf::actor listen(std::function<void(int)> on_message) {
    return caf::actor_cast<caf::actor>(
      spawn_pinned<listener>(system, loop, std::move(on_message)));
  }

  caf::actor_system_config config;
  caf::actor_system system{config};
  std::shared_ptr<io_loop> loop;
};

/// What a child process that runs `action` says on stderr before it is aborted.
std::string last_words(void (*action)()) {
  std::array<int, 2> ends{};
  REQUIRE(::pipe(ends.data()) == 0);
  std::cout.flush(); // else the child would write it, too
  const auto child = ::fork();
  if (child == 0) {
    ::dup2(ends[1], STDERR_FILENO);
    ::close(ends[1]);
    std::signal(SIGABRT, SIG_DFL); // not the handler of the test framework
    action();
    ::_exit(0);
  }
  ::close(ends[1]);
  std::string result;
  std::array<char, 256> bytes{};
  for (;;) {
    const auto count = ::read(ends[0], bytes.data(), bytes.size());
    if (count <= 0)
      break;
    result.append(bytes.data(), static_cast<std::size_t>(count));
  }
  ::close(ends[0]);
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  CHECK(WIFSIGNALED(status));
  CHECK(WTERMSIG(status) == SIGABRT);
  return result;
}

/// Never ends, whatever it is told.
class immortal final : public pinned_actor<caf::event_based_actor> {
public:
  using pinned_actor::pinned_actor;

  const char* name() const override {
    return "immortal";
  }

protected:
  caf::behavior make_behavior() override {
    caf_version::set_exit_handler(
      this, [](const caf::actor_addr&, const caf::error&) {});
    return {[](int) {}};
  }
};

} // namespace

TEST_CASE("an actor of a loop gets a message from another thread at once,"
          " however much there is to read") {
  // More handlers than a loop runs in a turn, so that a message comes after
  // each of them once.
  constexpr auto messages = 17;
  constexpr auto handlers_between = 18;
  constexpr auto handlers_before = 200; // the loop does not sleep any more
  std::promise<void> done;
  std::function<void()> flood;
  // Loop thread only.
  auto is_waiting = false;
  auto calls = 0;
  auto handled = 0; // since the last message was sent
  auto handled_max = 0;
  auto received = 0;
  loop_host host; // ends before what its handlers use
  auto receiver = host.listen([&](int) {
    is_waiting = false;
    handled_max = std::max(handled_max, handled);
    if (++received == messages)
      done.set_value();
  });
  // As a server that always has something more to say.
  flood = [&] {
    if (received == messages)
      return;
    ++calls;
    if (is_waiting) {
      ++handled;
    } else if (calls > handlers_before && calls % handlers_between == 0) {
      is_waiting = true;
      handled = 0;
      std::thread{[&] { caf::anon_send(receiver, 1); }}.join();
    }
    boost::asio::post(host.loop->context(), flood);
  };
  boost::asio::post(host.loop->context(), flood);
  done.get_future().get();
  // One more handler, at most: the loop looks at both in turn.
  CHECK(handled_max <= 1);
}

TEST_CASE("an actor of a loop that is never idle gets all its messages") {
  constexpr auto messages = 1000;
  std::promise<void> done;
  std::function<void()> flood;
  auto received = 0;
  auto is_over = false;
  loop_host host; // ends before what its handlers use
  auto receiver = host.listen([&](int message) {
    if (message == received++ && received == messages) {
      is_over = true;
      done.set_value();
    }
  });
  flood = [&] {
    if (!is_over)
      boost::asio::post(host.loop->context(), flood);
  };
  boost::asio::post(host.loop->context(), flood);
  for (auto i = 0; i < messages; ++i)
    caf::anon_send(receiver, i);
  done.get_future().get();
  CHECK(received == messages);
}

TEST_CASE("actions for the end of a turn may add further ones") {
  std::promise<void> done;
  auto count = 0;
  loop_host host;
  boost::asio::post(host.loop->context(), [&] {
    auto* loop = host.loop.get();
    loop->at_turn_end([loop, &count, &done] {
      for (auto i = 0; i < 64; ++i)
        loop->at_turn_end([&count] { ++count; });
      count += 1000; // reads what was captured
      loop->at_turn_end([&done] { done.set_value(); });
    });
  });
  done.get_future().get();
  CHECK(count == 1064);
}

TEST_CASE("an action that adds itself again does not keep others from a turn") {
  std::promise<void> got_message;
  std::promise<void> got_handler;
  std::function<void()> again;
  auto is_over = false;
  loop_host host; // ends before what its actions use
  auto receiver = host.listen([&](int) { got_message.set_value(); });
  again = [&] {
    if (!is_over)
      host.loop->at_turn_end(again);
  };
  boost::asio::post(host.loop->context(), again);
  caf::anon_send(receiver, 1);
  got_message.get_future().get();
  boost::asio::post(host.loop->context(), [&] { got_handler.set_value(); });
  got_handler.get_future().get();
  boost::asio::post(host.loop->context(), [&] { is_over = true; });
}

TEST_CASE("actors that are always ready do not keep others from a turn") {
  constexpr auto busy_actors = 100; // more than a loop resumes in a turn
  std::promise<void> got_message;
  std::promise<void> got_handler;
  std::promise<void> got_action;
  loop_host host; // ends before what its actors use
  std::vector<caf::actor> busy(busy_actors);
  for (auto& each : busy)
    each = host.listen([&](int) { caf::anon_send(each, 1); });
  for (auto& each : busy)
    caf::anon_send(each, 1);
  auto receiver = host.listen([&](int) { got_message.set_value(); });
  caf::anon_send(receiver, 1);
  got_message.get_future().get();
  boost::asio::post(host.loop->context(), [&] {
    got_handler.set_value();
    host.loop->at_turn_end([&] { got_action.set_value(); });
  });
  got_handler.get_future().get();
  got_action.get_future().get();
  host.loop->stop(); // before what its actors use goes
}

TEST_CASE("a loop whose actor hangs in a handler says so and is aborted") {
  const auto words = last_words([] {
    loop_host host{std::chrono::milliseconds{50}};
    std::promise<void> is_there;
    auto actor = host.listen([&](int) {
      is_there.set_value();
      for (;;)
        ::pause();
    });
    caf::anon_send(actor, 1);
    is_there.get_future().get();
    host.loop->stop();
  });
  CHECK(words.find("hangs in a handler") != std::string::npos);
}

TEST_CASE("a loop with an actor that does not end says which and is aborted") {
  const auto words = last_words([] {
    loop_host host{std::chrono::milliseconds{50}};
    spawn_pinned<immortal>(host.system, host.loop);
    host.loop->stop();
  });
  CHECK(words.find("actors do not end; still there: immortal")
        != std::string::npos);
}

TEST_CASE("an actor of a stopped loop ends without handling a message") {
  auto handled = 0;
  loop_host host;
  host.loop->stop();
  auto late = host.listen([&](int) { ++handled; });
  caf::anon_send(late, 1);
  caf::scoped_actor self{host.system};
  self->wait_for(late);
  CHECK(handled == 0);
}

TEST_CASE("an actor that is spawned while a loop stops ends at once") {
  auto handled = 0;
  loop_host host;
  caf::scoped_actor self{host.system};
  auto first = host.listen([](int) {});
  host.loop->begin_work(); // as a server that takes its time
  std::thread stopping{[&] { host.loop->stop(); }};
  self->wait_for(first); // the loop stops
  auto late = host.listen([&](int) { ++handled; });
  caf::anon_send(late, 1);
  self->wait_for(late);
  CHECK(handled == 0);
  host.loop->end_work();
  stopping.join();
}

TEST_CASE("somebody who spawns actors without end does not keep a loop from"
          " stopping") {
  loop_host host;
  std::atomic<bool> is_over = false;
  std::thread spawner{[&] {
    while (!is_over)
      host.listen([](int) {});
  }};
  host.loop->stop();
  is_over = true;
  spawner.join();
}
