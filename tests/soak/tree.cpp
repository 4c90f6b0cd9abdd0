// One hub with many servers, of which one is killed again and again. All others
// must keep answering, and all must come back.
#include "caf_mcp/actors/hub.hpp"

#include "tests/soak/numbers.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/processes.hpp"
#include "tests/support/wait_until.hpp"

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/scoped_actor.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <iostream>
#include <limits>
#include <mutex>
#include <random>
#include <string>
#include <string_view>
#include <sys/resource.h>
#include <thread>
#include <vector>

namespace {

using namespace caf_mcp;
using namespace std::chrono_literals;
using clock_type = std::chrono::steady_clock;

constexpr std::size_t callers_count = 8;

/// Time in which a server that was killed may fail: what is in flight does so
/// at once, what comes later waits for the next process.
constexpr auto failure_window = 2s;

struct settings {
  std::size_t servers = 200;
  std::chrono::seconds time{60};
  std::uint32_t seed = 1;
};

std::string name_of(std::size_t server) {
  return "demo" + std::to_string(server);
}

std::vector<server_entry> entries(const settings& chosen) {
  std::vector<server_entry> result(chosen.servers);
  for (std::size_t i = 0; i < result.size(); ++i) {
    auto& each = result[i];
    each.name = name_of(i);
    each.options.command = tests::binary("demo-server");
    each.options.stdin_grace = 100ms;
    each.options.term_grace = 100ms;
    each.options.stderr_to.kind = stderr_kind::discard;
    each.policy.max_restarts = std::numeric_limits<std::uint16_t>::max();
  }
  return result;
}

/// When each server was killed last.
class kill_times {
public:
  explicit kill_times(std::size_t servers) : killed_at_(servers) {
    // nop
  }

  void add(std::size_t server) {
    std::unique_lock guard{mutex_};
    killed_at_[server] = clock_type::now();
  }

  bool may_fail(std::size_t server) const {
    std::unique_lock guard{mutex_};
    return clock_type::now() - killed_at_[server] < failure_window;
  }

private:
  mutable std::mutex mutex_;
  std::vector<clock_type::time_point> killed_at_;
};

struct counters {
  std::atomic<std::uint64_t> answered = 0;
  std::atomic<std::uint64_t> failed = 0;
  std::atomic<std::uint64_t> failed_without_cause = 0;
  std::atomic<std::uint64_t> kills = 0;
};

caf::expected<payload> echo(caf::scoped_actor& self, const hub& servers,
                            std::size_t which) {
  auto server = ask(self, servers, look_up{name_of(which)});
  if (!server)
    return std::move(server.error());
  auto call = call_tool("echo", {{"message", "hi"}});
  call.options.timeout = 30s;
  return ask(self, *server, call);
}

void run_caller(caf::actor_system& system, const hub& servers,
                const settings& chosen, const kill_times& dead, counters& count,
                const std::atomic<bool>& stop, std::uint32_t seed) {
  std::minstd_rand random{seed};
  caf::scoped_actor self{system};
  while (!stop) {
    const auto which = random() % chosen.servers;
    // Most calls are for those that live: none of them waits for a restart.
    if (dead.may_fail(which) && random() % 16 != 0)
      continue;
    auto answer = echo(self, servers, which);
    if (answer) {
      ++count.answered;
      continue;
    }
    ++count.failed;
    if (!dead.may_fail(which)) {
      ++count.failed_without_cause;
      std::cerr << name_of(which) << ": " << describe(answer.error()).message
                << '\n';
    }
  }
}

/// Kills a server now and then.
void run_chaos(caf::scoped_actor& self, const hub& servers,
               const settings& chosen, kill_times& dead, counters& count) {
  std::minstd_rand random{chosen.seed};
  const auto end = clock_type::now() + chosen.time;
  while (clock_type::now() < end) {
    std::this_thread::sleep_for(std::chrono::milliseconds{random() % 200});
    const auto which = random() % chosen.servers;
    auto server = ask(self, servers, look_up{name_of(which)});
    auto session = ask(self, *server, get_session{});
    if (!session || session->pid == 0)
      continue; // it is dead already
    dead.add(which);
    ::kill(static_cast<pid_t>(session->pid), SIGKILL);
    ++count.kills;
  }
}

std::size_t ready_servers(caf::scoped_actor& self, const hub& servers) {
  auto all = ask(self, servers, get_servers{});
  return static_cast<std::size_t>(
    std::count_if(all->begin(), all->end(), [](const server_status& each) {
      return each.state == server_state::ready;
    }));
}

bool check(bool holds, std::string_view what) {
  std::cout << (holds ? "ok      " : "FAILED  ") << what << '\n';
  return holds;
}

/// Runs the whole; returns whether every promise held.
bool run(const settings& chosen) {
  caf::actor_system_config config;
  caf::actor_system system{config};
  counters count;
  auto all_fine = true;
  {
    runtime host{system, 2};
    const auto servers = spawn_hub(host, entries(chosen));
    caf::scoped_actor self{system};
    auto all_ready
      = [&] { return ready_servers(self, servers) == chosen.servers; };
    const auto begin = clock_type::now();
    all_fine &= check(tests::wait_until(all_ready, 120s), "all are started");
    std::cout << "        in "
              << std::chrono::duration_cast<std::chrono::milliseconds>(
                   clock_type::now() - begin)
                   .count()
              << " ms\n";
    kill_times dead{chosen.servers};
    std::atomic<bool> stop = false;
    std::vector<std::thread> callers;
    for (std::size_t i = 0; i < callers_count; ++i)
      callers.emplace_back([&, i] {
        run_caller(system, servers, chosen, dead, count, stop,
                   chosen.seed + static_cast<std::uint32_t>(i));
      });
    run_chaos(self, servers, chosen, dead, count);
    stop = true;
    for (auto& caller : callers)
      caller.join(); // hangs if a request is never completed
    all_fine &= check(tests::wait_until(all_ready, 120s), "all have come back");
    std::size_t answering = 0;
    for (std::size_t i = 0; i < chosen.servers; ++i)
      answering += echo(self, servers, i) ? 1U : 0U;
    all_fine &= check(answering == chosen.servers, "all answer");
  }
  std::cout << count.kills << " servers killed; " << count.answered
            << " requests answered, " << count.failed << " failed\n";
  all_fine &= check(count.kills > 0 && count.answered > 0, "there was chaos");
  all_fine &= check(count.failed_without_cause == 0,
                    "no server failed but those that were killed");
  all_fine &= check(tests::children().empty(), "no process is left");
  return all_fine;
}

/// Each server takes three pipes and a pidfd.
void allow_descriptors() {
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

} // namespace

int main(int argc, char** argv) {
  settings chosen;
  const auto numbers = tests::read_numbers(
    argc, argv, 3, "caf-mcp-tree [SERVERS [SECONDS [SEED]]]");
  if (!numbers)
    return 2;
  if (numbers->size() > 0)
    chosen.servers = (*numbers)[0];
  if (numbers->size() > 1)
    chosen.time = std::chrono::seconds{(*numbers)[1]};
  if (numbers->size() > 2)
    chosen.seed = (*numbers)[2];
  allow_descriptors();
  init_global_meta_objects();
  return run(chosen) ? 0 : 1;
}
