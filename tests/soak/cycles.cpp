// Starts servers, kills them, waits for their successors and closes the
// connections, over and over. At the end nothing may be left: no process, no
// zombie, no descriptor, no memory. caf-mcp-cycles [CYCLES [AT_A_TIME]]
#include "caf_mcp/actors/client.hpp"

#include "tests/support/paths.hpp"
#include "tests/support/processes.hpp"
#include "tests/support/resident_memory.hpp"
#include "tests/support/wait_until.hpp"

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/scoped_actor.hpp>

#include <atomic>
#include <charconv>
#include <csignal>
#include <cstdint>
#include <iostream>
#include <string_view>
#include <thread>
#include <vector>

namespace {

using namespace caf_mcp;
using namespace std::chrono_literals;

server_options options_of_server() {
  server_options options;
  options.command = tests::binary("demo-server");
  options.stderr_to.kind = stderr_kind::discard;
  options.max_reconnects = 3;
  return options;
}

/// One life of a connection: started, killed, started again by itself, closed.
/// Returns whether each step went as it should.
bool run_cycle(caf::scoped_actor& self, runtime& host) {
  auto server = spawn_connection(host, options_of_server());
  if (!server)
    return false;
  auto first = ask(self, *server, open_connection{});
  if (!first || first->pid <= 0)
    return false;
  ::kill(static_cast<pid_t>(first->pid), SIGKILL);
  // In flight, or waiting for the successor; then certainly the latter.
  ask(self, *server, call_tool("add", {{"a", 1}, {"b", 2}}));
  auto answer = ask(self, *server, call_tool("add", {{"a", 1}, {"b", 2}}));
  auto second = ask(self, *server, get_session{});
  return answer && second && second->pid > 0 && second->pid != first->pid
         && ask(self, *server, close_connection{});
}

/// Runs cycles in several threads; returns how many failed.
std::size_t run_cycles(caf::actor_system& system, runtime& host,
                       std::size_t cycles, std::size_t at_a_time) {
  std::atomic<std::size_t> next = 0;
  std::atomic<std::size_t> failed = 0;
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < at_a_time; ++i)
    threads.emplace_back([&] {
      caf::scoped_actor self{system};
      while (next++ < cycles)
        if (!run_cycle(self, host))
          ++failed;
    });
  for (auto& thread : threads)
    thread.join();
  return failed;
}

/// Prints a figure; returns whether it is within its bound.
bool report(std::string_view what, std::size_t value, std::size_t max) {
  std::cout << what << ": " << value << '\n';
  if (value <= max)
    return true;
  std::cout << "  that is more than " << max << '\n';
  return false;
}

std::size_t rise(std::size_t before, std::size_t after) {
  return after > before ? after - before : 0;
}

bool run(std::size_t cycles, std::size_t at_a_time) {
  caf::actor_system_config config;
  caf::actor_system system{config};
  runtime host{system};
  // What a first time leaves behind for good is there before the count.
  const auto warm_up = cycles / 10 + at_a_time;
  auto failed = run_cycles(system, host, warm_up, at_a_time);
  const auto descriptors = tests::open_descriptors();
  const auto memory = tests::resident_bytes();
  failed += run_cycles(system, host, cycles, at_a_time);
  auto ok = report("cycles that failed", failed, 0);
  ok &= report("children and zombies left", tests::children().size(), 0);
  ok &= report("descriptors left", rise(descriptors, tests::open_descriptors()),
               0);
  ok &= report("KiB of memory more than after the first "
                 + std::to_string(warm_up),
               rise(memory, tests::resident_bytes()) / 1024,
               tests::memory_noise_bytes / 1024);
  return ok;
}

bool read_count(const char* text, std::size_t& count) {
  const std::string_view all{text};
  const auto* end = all.data() + all.size();
  return std::from_chars(all.data(), end, count).ptr == end && count > 0;
}

} // namespace

int main(int argc, char** argv) {
  std::size_t cycles = 1000;
  std::size_t at_a_time = 16;
  if (argc > 3 || (argc > 1 && !read_count(argv[1], cycles))
      || (argc > 2 && !read_count(argv[2], at_a_time))) {
    std::cerr << "usage: caf-mcp-cycles [CYCLES [AT_A_TIME]]\n";
    return 2;
  }
  init_global_meta_objects();
  return run(cycles, at_a_time) ? 0 : 1;
}
