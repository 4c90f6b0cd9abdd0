#include "idle_servers.hpp"

#include "caf_mcp/actors/hub.hpp"

#include "apps/bench/compare/clients/library_host.hpp"
#include "descriptors.hpp"
#include "resident_memory.hpp"

#include <caf/actor_system.hpp>
#include <caf/scoped_actor.hpp>

#include <malloc.h>
#include <stdexcept>
#include <thread>

namespace bench {

namespace {

constexpr double bytes_a_kib = 1024;

/// Of this process for each server.
constexpr double kib_max = 32;

/// Of one core, while nothing happens: the noise of the clock.
constexpr double cpu_percent_max = 0.1;

/// After this, the timers of the start have passed.
constexpr std::chrono::seconds settle_time{5};

std::vector<caf_mcp::server_entry> entries(const options& chosen) {
  std::vector<caf_mcp::server_entry> result(chosen.servers_max);
  for (std::size_t i = 0; i < result.size(); ++i) {
    result[i].name = "demo" + std::to_string(i);
    result[i].options.command = chosen.client.server;
  }
  return result;
}

void wait_until_ready(caf::scoped_actor& self, const caf_mcp::hub& servers,
                      std::size_t count) {
  std::size_t ready = 0;
  caf_mcp::tell(self, servers, caf_mcp::watch_servers{});
  while (ready < count)
    self->receive([&ready](const caf_mcp::server_changed& change) {
      if (change.status.state == caf_mcp::server_state::failed)
        throw std::runtime_error{
          caf_mcp::describe(change.status.last_error).message};
      if (change.status.state == caf_mcp::server_state::ready)
        ++ready;
    });
}

/// Returns the CPU time of this process in `time`, in per cent of one core.
double cpu_percent(std::chrono::milliseconds time) {
  const auto before = usage_now().cpu;
  std::this_thread::sleep_for(time);
  return to_us(usage_now().cpu - before) / to_us(time) * 100;
}

} // namespace

table measure_idle_servers(const options& chosen) {
  allow_descriptors(chosen.servers_max);
  caf::actor_system_config config;
  set_up(config, chosen.client);
  caf::actor_system system{config};
  caf_mcp::runtime host{system};
  caf::scoped_actor self{system};
  ::malloc_trim(0);
  const auto before = static_cast<double>(resident_bytes());
  const auto servers = caf_mcp::spawn_hub(host, entries(chosen));
  wait_until_ready(self, servers, chosen.servers_max);
  std::this_thread::sleep_for(settle_time);
  std::vector<double> cpu;
  for (std::size_t round = 0; round < chosen.rounds; ++round)
    cpu.push_back(cpu_percent(std::chrono::seconds{1}));
  ::malloc_trim(0);
  const auto each = (static_cast<double>(resident_bytes()) - before)
                    / bytes_a_kib / static_cast<double>(chosen.servers_max);
  table result{"servers that do nothing: memory of the host and its CPU time",
               {"KiB each", "% of a core"},
               {},
               {}};
  result.rows = {
    {std::to_string(chosen.servers_max), {spread_of({each}), spread_of(cpu)}}};
  result.targets
    = {at_most("KiB of the host for an idle server", each, kib_max),
       at_most("CPU of the host with idle servers, % of a core",
               spread_of(cpu).median, cpu_percent_max)};
  return result;
}

} // namespace bench
