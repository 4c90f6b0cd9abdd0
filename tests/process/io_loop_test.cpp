#include "caf_mcp/actors/io/io_loop.hpp"

#include "caf_mcp/actors/caf_version.hpp"
#include "caf_mcp/actors/io/pinned_actor.hpp"

#include <boost/asio/post.hpp>
#include <caf/actor_cast.hpp>
#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/event_based_actor.hpp>
#include <caf/send.hpp>
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <functional>
#include <future>
#include <memory>
#include <thread>
#include <utility>

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
  loop_host() {
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
  std::shared_ptr<io_loop> loop = std::make_shared<io_loop>(system);
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
