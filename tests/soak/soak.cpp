// Many connections, and everything that can happen to their servers, for a
// while. At the end every request must have been completed, and nothing may be
// left: no process, no zombie, no descriptor, no memory.
#include "caf_mcp/actors/client.hpp"

#include "tests/soak/numbers.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/processes.hpp"
#include "tests/support/resident_memory.hpp"
#include "tests/support/wait_until.hpp"

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <iostream>
#include <memory>
#include <mutex>
#include <random>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace {

using namespace caf_mcp;
using namespace std::chrono_literals;
using clock_type = std::chrono::steady_clock;

struct settings {
  std::size_t connections = 16;
  std::chrono::seconds time{30};
  std::uint32_t seed = 1;
};

server_options options_of_server() {
  server_options options;
  options.command = tests::binary("demo-server");
  options.stdin_grace = 100ms;
  options.term_grace = 100ms;
  options.handshake_timeout = 5s;
  options.probe_timeout = 500ms;
  options.max_reconnects = 3;
  options.stderr_to.kind = stderr_kind::discard;
  return options;
}

/// A connection that is replaced whenever it was closed.
class slot {
public:
  explicit slot(runtime& host) : host_{host} {
    replace();
  }

  connection get() const {
    std::unique_lock guard{mutex_};
    return current_;
  }

  void replace() {
    auto next = spawn_connection(host_, options_of_server());
    std::unique_lock guard{mutex_};
    current_ = *next;
  }

private:
  runtime& host_;
  mutable std::mutex mutex_;
  connection current_;
};

struct counters {
  std::atomic<std::uint64_t> sent = 0;
  std::atomic<std::uint64_t> answered = 0;
  std::atomic<std::uint64_t> failed = 0;
  std::atomic<std::uint64_t> signals = 0;
  std::atomic<std::uint64_t> closes = 0;
};

send_request random_request(std::minstd_rand& random) {
  request_options options;
  options.timeout = 5s;
  switch (random() % 6) {
    case 0:
      options.timeout = std::chrono::milliseconds{random() % 20};
      return call_tool("slow", {{"ms", random() % 40}}, options);
    case 1:
      return call_tool("big", {{"bytes", random() % 100'000}}, options);
    case 2:
      return call_tool(
        "echo", {{"message", std::string(random() % 50'000, 'x')}}, options);
    default:
      return call_tool("add", {{"a", 1}, {"b", 2}}, options);
  }
}

/// Sends requests in bursts and waits for all of them.
void run_caller(caf::actor_system& system, const slot& from, counters& count,
                const std::atomic<bool>& stop, std::uint32_t seed) {
  std::minstd_rand random{seed};
  caf::scoped_actor self{system};
  while (!stop) {
    auto server = from.get();
    std::vector<decltype(ask(self.ptr(), server, send_request{}))> burst;
    for (auto i = random() % 8 + 1; i > 0; --i) {
      burst.push_back(ask(self.ptr(), server, random_request(random)));
      ++count.sent;
    }
    auto failures = 0;
    for (auto& each : burst)
      std::move(each).receive([&](payload&) { ++count.answered; },
                              [&](caf::error&) {
                                ++failures;
                                ++count.failed;
                              });
    // A closed connection answers at once; do not spin until it is replaced.
    if (failures == static_cast<int>(burst.size()))
      std::this_thread::sleep_for(5ms);
  }
}

/// Signals servers and closes connections at random.
void run_chaos(caf::actor_system& system,
               std::vector<std::unique_ptr<slot>>& slots, counters& count,
               const settings& chosen) {
  std::minstd_rand random{chosen.seed};
  caf::scoped_actor self{system};
  const auto end = clock_type::now() + chosen.time;
  while (clock_type::now() < end) {
    std::this_thread::sleep_for(std::chrono::milliseconds{random() % 20});
    auto& victim = *slots[random() % slots.size()];
    auto session = ask(self, victim.get(), get_session{});
    if (!session || session->state == connection_state::closed) {
      victim.replace();
    } else if (random() % 10 == 0) {
      ++count.closes;
      auto old = victim.get();
      victim.replace();
      ask(self, old, close_connection{});
    } else if (session->pid > 0) {
      constexpr int signals[] = {SIGSTOP, SIGCONT, SIGTERM, SIGKILL};
      ++count.signals;
      // A server that stays stopped is found by the timeouts of its requests.
      ::kill(static_cast<pid_t>(session->pid), signals[random() % 4]);
    }
  }
}

bool check(bool holds, std::string_view what) {
  std::cout << (holds ? "ok      " : "FAILED  ") << what << '\n';
  return holds;
}

/// Runs the whole; returns whether every promise held.
bool run(const settings& chosen) {
  caf::actor_system_config config;
  caf::actor_system system{config};
  const auto descriptors_before = tests::open_descriptors();
  counters count;
  std::size_t resident_early = 0;
  {
    runtime host{system, 2};
    std::vector<std::unique_ptr<slot>> slots;
    for (std::size_t i = 0; i < chosen.connections; ++i)
      slots.push_back(std::make_unique<slot>(host));
    std::atomic<bool> stop = false;
    std::vector<std::thread> callers;
    for (std::size_t i = 0; i < 2 * slots.size(); ++i)
      callers.emplace_back([&, i] {
        run_caller(system, *slots[i % slots.size()], count, stop,
                   chosen.seed + static_cast<std::uint32_t>(i));
      });
    auto warm_up = chosen;
    warm_up.time = chosen.time / 4;
    run_chaos(system, slots, count, warm_up);
    resident_early = tests::resident_bytes();
    auto rest = chosen;
    rest.time = chosen.time - warm_up.time;
    run_chaos(system, slots, count, rest);
    stop = true;
    for (auto& caller : callers)
      caller.join(); // hangs if a request is never completed
  }
  std::cout << count.sent << " requests: " << count.answered << " answered, "
            << count.failed << " failed; " << count.signals << " signals, "
            << count.closes << " closes; resident " << resident_early / 1024
            << " KiB early, " << tests::resident_bytes() / 1024
            << " KiB at the end\n";
  auto all = check(count.sent == count.answered + count.failed,
                   "every request was completed exactly once");
  all &= check(count.answered > 0, "requests were answered");
  all &= check(tests::children().empty(), "no process and no zombie is left");
  all &= check(tests::open_descriptors() <= descriptors_before,
               "no descriptor is left");
  all &= check(tests::resident_bytes()
                 < resident_early + tests::memory_noise_bytes,
               "memory did not grow");
  return all;
}

} // namespace

int main(int argc, char** argv) {
  settings chosen;
  const auto numbers = tests::read_numbers(
    argc, argv, 3, "caf-mcp-soak [SECONDS [CONNECTIONS [SEED]]]");
  if (!numbers)
    return 2;
  if (numbers->size() > 0)
    chosen.time = std::chrono::seconds{(*numbers)[0]};
  if (numbers->size() > 1)
    chosen.connections = (*numbers)[1];
  if (numbers->size() > 2)
    chosen.seed = (*numbers)[2];
  init_global_meta_objects();
  return run(chosen) ? 0 : 1;
}
