#include "tests/soak/rounds.hpp"

#include "tests/support/processes.hpp"
#include "tests/support/resident_memory.hpp"

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>

#include <atomic>
#include <iostream>
#include <malloc.h>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace tests {

namespace {

/// Runs rounds in several threads; returns how many failed.
std::size_t run_all(caf::actor_system& system, caf_mcp::runtime& host,
                    const soak_round& one, std::size_t rounds,
                    std::size_t at_a_time) {
  std::atomic<std::size_t> next = 0;
  std::atomic<std::size_t> failed = 0;
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < at_a_time; ++i)
    threads.emplace_back([&] {
      caf::scoped_actor self{system};
      for (auto number = next++; number < rounds; number = next++)
        if (!one(self, host, number))
          ++failed;
    });
  for (auto& thread : threads)
    thread.join(); // hangs if a request is never completed
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

std::size_t memory_in_use() {
  ::malloc_trim(0); // what is free does not count
  return resident_bytes();
}

} // namespace

bool run_rounds(const soak_round& one, std::size_t rounds,
                std::size_t at_a_time) {
  caf::actor_system_config config;
  caf::actor_system system{config};
  caf_mcp::runtime host{system};
  // What a first time leaves behind for good is there before the count.
  const auto warm_up = rounds / 10 + at_a_time;
  auto failed = run_all(system, host, one, warm_up, at_a_time);
  const auto descriptors = open_descriptors();
  const auto memory = memory_in_use();
  failed += run_all(system, host, one, rounds, at_a_time);
  auto ok = report("rounds that failed", failed, 0);
  ok &= report("children and zombies left", children().size(), 0);
  ok &= report("descriptors left", rise(descriptors, open_descriptors()), 0);
  ok &= report("KiB of memory more than after the first "
                 + std::to_string(warm_up),
               rise(memory, memory_in_use()) / 1024, memory_noise_bytes / 1024);
  return ok;
}

} // namespace tests
