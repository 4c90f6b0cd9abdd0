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
  loop_host host;
  std::promise<int> found;
  auto handled = 0; // since the message was sent; loop thread only
  auto is_over = false;
  auto receiver = host.listen([&](int) {
    is_over = true;
    found.set_value(handled);
  });
  // As a server that always has something more to say.
  std::function<void()> flood = [&] {
    if (is_over)
      return;
    ++handled;
    boost::asio::post(host.loop->context(), flood);
  };
  boost::asio::post(host.loop->context(), [&] {
    boost::asio::post(host.loop->context(), flood);
    std::thread{[&] { caf::anon_send(receiver, 1); }}.join();
  });
  // One more handler, at most: the loop looks at both in turn.
  CHECK(found.get_future().get() <= 1);
}

TEST_CASE("an actor of a loop that is never idle gets all its messages") {
  loop_host host;
  constexpr auto messages = 1000;
  std::promise<void> done;
  auto received = 0;
  auto is_over = false;
  auto receiver = host.listen([&](int message) {
    if (message == received++ && received == messages) {
      is_over = true;
      done.set_value();
    }
  });
  std::function<void()> flood = [&] {
    if (!is_over)
      boost::asio::post(host.loop->context(), flood);
  };
  boost::asio::post(host.loop->context(), flood);
  for (auto i = 0; i < messages; ++i)
    caf::anon_send(receiver, i);
  done.get_future().get();
  CHECK(received == messages);
}
