#include "caf_mcp/actors/runtime.hpp"

#include "caf_mcp/actors/client.hpp"
#include "caf_mcp/actors/loop/caf_version.hpp"

#include "tests/support/host.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/processes.hpp"

#include <caf/actor_cast.hpp>
#include <caf/event_based_actor.hpp>
#include <caf/send.hpp>
#include <catch2/catch_test_macros.hpp>

#include <atomic>
#include <chrono>
#include <future>
#include <thread>
#include <utility>
#include <vector>

using namespace caf_mcp;
using namespace std::chrono_literals;
using tests::failure;
using tests::value;

namespace {

using clock_type = std::chrono::steady_clock;

/// What `action` took.
template <class Action>
clock_type::duration time_of(Action action) {
  const auto start = clock_type::now();
  action();
  return clock_type::now() - start;
}

/// A system and a runtime with some loops.
struct loops_host {
  explicit loops_host(std::size_t loops) : loops{system, loops} {
    // nop
  }

  connection open(server_options options) {
    auto server = value(spawn_connection(loops, std::move(options)));
    value(ask(self, server, open_connection{}));
    return server;
  }

  caf::actor_system_config config;
  caf::actor_system system{config};
  runtime loops;
  caf::scoped_actor self{system};
};

/// Ignores that stdin ends, and SIGTERM: takes both graces and a SIGKILL.
server_options stubborn() {
  auto options = tests::host::program("test-ignore-term");
  options.stdin_grace = 500ms;
  options.term_grace = 500ms;
  return options;
}

server_options demo() {
  return tests::host::program("demo-server");
}

/// Every kind of request is answered, and says that the connection is closed.
void check_refused(caf::scoped_actor& self, const connection& server) {
  CHECK(failure(ask(self, server, open_connection{})).name
        == "connection_closed");
  CHECK(failure(ask(self, server, ping())).name == "connection_closed");
  CHECK(failure(ask(self, server, get_session{})).name == "connection_closed");
}

} // namespace

TEST_CASE("a runtime with many loops ends in the time that one loop takes") {
  loops_host host{4};
  std::vector<connection> servers;
  for (auto i = 0; i < 4; ++i)
    servers.push_back(host.open(stubborn()));
  CHECK(time_of([&] { host.loops.stop(); }) < 2s); // graces, and a second
  CHECK(tests::children().empty());
}

TEST_CASE("a loop with many servers ends in the time that one server takes") {
  loops_host host{1};
  std::vector<connection> servers;
  for (auto i = 0; i < 4; ++i)
    servers.push_back(host.open(stubborn()));
  CHECK(time_of([&] { host.loops.stop(); }) < 2s);
  CHECK(tests::children().empty());
}

TEST_CASE("a connection of a stopped runtime answers that it is closed") {
  loops_host host{2};
  auto before = host.open(demo());
  host.loops.stop();
  check_refused(host.self, before);
  for (auto i = 0; i < 3; ++i) // on each loop
    check_refused(host.self, value(spawn_connection(host.loops, demo())));
  CHECK(tests::children().empty());
}

TEST_CASE("a runtime stops twice") {
  loops_host host{2};
  host.open(demo());
  host.loops.stop();
  host.loops.stop();
  CHECK(tests::children().empty());
}

TEST_CASE("a connection that is spawned while its runtime stops is refused at"
          " once") {
  loops_host host{1};
  auto server = host.open(stubborn());
  std::thread stopping{[&] { host.loops.stop(); }};
  // It is told to end first, and its server takes a second.
  while (ask(host.self, server, ping()))
    std::this_thread::yield();
  auto late = value(spawn_connection(host.loops, demo()));
  CHECK(time_of([&] { check_refused(host.self, late); }) < 500ms);
  CHECK(tests::children().size() == 1);
  stopping.join();
  check_refused(host.self, late);
}

TEST_CASE("an actor that spawns connections without end does not keep a runtime"
          " from stopping") {
  loops_host host{2};
  std::atomic<bool> is_over = false;
  std::atomic<int> refused = 0;
  std::vector<std::thread> keepers;
  for (auto i = 0; i < 2; ++i)
    keepers.emplace_back([&] {
      caf::scoped_actor self{host.system};
      while (!is_over) {
        auto server = value(spawn_connection(host.loops, demo()));
        if (!ask(self, server, open_connection{}))
          ++refused;
      }
    });
  host.loops.stop();
  const auto refused_before = refused.load();
  while (refused < refused_before + 10) // they go on, and are answered
    std::this_thread::yield();
  is_over = true;
  for (auto& keeper : keepers)
    keeper.join();
  CHECK(tests::children().empty());
}

namespace {

/// Spawns a connection, and another one whenever it ends.
class keeper final : public caf::event_based_actor {
public:
  keeper(caf::actor_config& cfg, runtime& host, std::promise<void> is_up)
    : event_based_actor{cfg}, host_{host}, is_up_{std::move(is_up)} {
    // nop
  }

protected:
  caf::behavior make_behavior() override {
    caf_version::set_down_handler(
      this, [this](const caf::actor_addr&, const caf::error&) { start(); });
    start();
    return {[](int) {}};
  }

private:
  void start() {
    if (starts_left_-- == 0)
      return;
    auto server = value(spawn_connection(host_, demo()));
    caf_version::watch(
      this, caf::actor_cast<caf::strong_actor_ptr>(server),
      [this](const caf::actor_addr&, const caf::error&) { start(); });
    ask(static_cast<caf::event_based_actor*>(this), server, open_connection{})
      .then([this](const session_info&) { is_up_.set_value(); },
            [](const caf::error&) {});
  }

  runtime& host_;
  std::promise<void> is_up_;
  int starts_left_ = 20;
};

} // namespace

TEST_CASE("an actor that starts its server again whenever it is lost does not"
          " keep a runtime from stopping") {
  loops_host host{1};
  std::promise<void> up;
  auto is_up = up.get_future();
  auto actor = host.system.spawn<keeper>(host.loops, std::move(up));
  is_up.get();
  CHECK(time_of([&] { host.loops.stop(); }) < 1600ms);
  CHECK(tests::children().empty());
  caf::anon_send_exit(actor, caf::exit_reason::user_shutdown);
  host.self->wait_for(actor);
}
