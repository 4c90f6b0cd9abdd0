#include "suite.hpp"

#include "apps/bench/compare/scenarios/connections.hpp"
#include "apps/bench/compare/scenarios/idle_servers.hpp"
#include "apps/bench/compare/scenarios/neighbour.hpp"
#include "apps/bench/compare/scenarios/open_connections.hpp"
#include "apps/bench/compare/scenarios/pending.hpp"
#include "apps/bench/compare/scenarios/remote.hpp"
#include "apps/bench/compare/scenarios/request_sizes.hpp"
#include "apps/bench/compare/scenarios/sizes.hpp"
#include "apps/bench/compare/scenarios/spawn.hpp"
#include "apps/bench/compare/scenarios/spawn_ready.hpp"
#include "apps/bench/compare/scenarios/subscriptions.hpp"
#include "apps/bench/compare/scenarios/throughput.hpp"

#include <algorithm>
#include <chrono>
#include <iostream>
#include <unistd.h>
#include <vector>

namespace bench {

namespace {

/// A load is repeated until it has taken this long: fast clients are measured
/// for as long as slow ones, with the same phases of a busy machine.
constexpr auto load_time_min = std::chrono::milliseconds{500};

/// What a load took in all its repetitions.
struct sample {
  std::vector<clock::duration> latencies;
  double requests_per_second = 0;
  /// For a request.
  double cpu_us = 0;
  double waits = 0;
};

sample measure(client& caller, const load& work) {
  sample result;
  clock::duration wall{};
  double requests = 0;
  const auto before = caller.used();
  while (wall < load_time_min) {
    const auto found = caller.run(work);
    wall += found.wall;
    requests += static_cast<double>(work.requests);
    result.latencies.insert(result.latencies.end(), found.latencies.begin(),
                            found.latencies.end());
  }
  const auto after = caller.used();
  result.requests_per_second
    = requests / std::chrono::duration<double>(wall).count();
  result.cpu_us = to_us(after.cpu - before.cpu) / requests;
  result.waits = static_cast<double>(after.waits - before.waits) / requests;
  return result;
}

/// A round of one client, with a server of its own.
figures measure(const contender& which, const options& chosen) {
  const auto caller = which.make(chosen.client);
  caller->run({chosen.sequential_requests / 10 + 1, 1});
  caller->run({chosen.pipelined_requests / 10 + 1, chosen.in_flight});
  const auto one = measure(*caller, {chosen.sequential_requests, 1});
  const auto many
    = measure(*caller, {chosen.pipelined_requests, chosen.in_flight});
  figures result;
  result.p50_us = to_us(quantile(one.latencies, 0.5));
  result.p99_us = to_us(quantile(one.latencies, 0.99));
  result.p999_us = to_us(quantile(one.latencies, 0.999));
  result.sequential_cpu_us = one.cpu_us;
  result.sequential_waits = one.waits;
  result.requests_per_second = many.requests_per_second;
  result.pipelined_cpu_us = many.cpu_us;
  result.pipelined_waits = many.waits;
  return result;
}

/// Says on a terminal what goes on, in place of what was said before.
void tell(const std::string& what) {
  constexpr std::size_t width = 40;
  static const auto is_terminal = ::isatty(STDERR_FILENO) == 1;
  if (is_terminal)
    std::cerr << '\r' << what << std::string(width - what.size(), ' ') << '\r'
              << std::flush;
}

/// Returns the contenders that are wanted and can be measured; says of the
/// others that are wanted why not.
std::vector<const contender*>
find_present(const options& chosen,
             std::map<std::string, std::string>& left_out) {
  std::vector<const contender*> result;
  for (const auto& each : contenders()) {
    if (!chosen.wants(each.name))
      continue;
    const auto reason = each.hindrance();
    if (reason.empty()) {
      result.push_back(&each);
    } else {
      left_out[each.name] = reason;
      std::cerr << "caf-mcp-bench: left out " << each.name << ": " << reason
                << '\n';
    }
  }
  return result;
}

} // namespace

const std::vector<contender>& contenders() {
  static const std::vector<contender> all = {
    {"floor", "plain loop over two pipes", make_floor_client},
    {"event", "event-based actor", make_event_client},
    {"polling", "the same on a worker of CAF that polls", make_polling_client},
    {"pipeline", "event-based actor with a pipeline", make_pipeline_client},
    {"pinned", "the same, pinned to the loop of the connection",
     make_pinned_client},
    {"blocking", "thread that waits", make_blocking_client},
    {"sdk-1", "official TypeScript client, version 1", make_sdk_1_client,
     why_no_sdk_client},
    {"sdk-2", "official TypeScript client, version 2", make_sdk_2_client,
     why_no_sdk_client}};
  return all;
}

const std::vector<scenario>& scenarios() {
  static const std::vector<scenario> all
    = {{"spawn", measure_spawn},
       {"spawn-ready", measure_spawn_ready},
       {"sizes", measure_sizes},
       {"request-sizes", measure_request_sizes},
       {"remote", measure_remote},
       {"idle", measure_idle_servers},
       {"throughput", measure_throughput},
       {"connections", measure_connections},
       {"open-connections", measure_open_connections},
       {"pending", measure_pending},
       {"subscriptions", measure_subscriptions},
       {"neighbour", measure_neighbour}};
  return all;
}

std::vector<std::string> names() {
  std::vector<std::string> result;
  for (const auto& each : contenders())
    result.push_back(each.name);
  result.push_back("memory");
  for (const auto& each : scenarios())
    result.push_back(each.name);
  return result;
}

results run_suite(const options& chosen) {
  results found;
  const auto present = find_present(chosen, found.left_out);
  for (std::size_t round = 1; round <= chosen.rounds; ++round) {
    for (const auto* each : present) {
      tell("round " + std::to_string(round) + " of "
           + std::to_string(chosen.rounds) + ": " + each->name);
      found.rounds[each->name].push_back(measure(*each, chosen));
    }
  }
  if (chosen.wants("memory")) {
    tell("memory");
    found.memory = measure_memory(*make_event_client(chosen.client),
                                  {chosen.memory_requests, chosen.in_flight});
  }
  for (const auto& each : scenarios()) {
    if (!chosen.wants(each.name))
      continue;
    tell(each.name);
    found.tables.push_back(each.measure(chosen));
  }
  tell("");
  return found;
}

} // namespace bench
