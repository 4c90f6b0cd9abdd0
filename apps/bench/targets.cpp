#include "targets.hpp"

namespace bench {

namespace {

/// Sequential medians, as multiples of the floor's.
constexpr double event_latency_max = 1.8;
constexpr double polling_latency_max = 1.5;
constexpr double pinned_latency_max = 1.15;

/// Requests a second of the event-based caller with a pipeline, as a part of
/// the floor's.
constexpr double pipeline_throughput_min = 0.67;

/// Noise of the heap; one byte left behind by each request would be more.
constexpr double growth_mib_max = 0.5;

constexpr double mib = 1024 * 1024;

/// A figure of one client, as a multiple of the floor's.
struct limit {
  std::string client;
  std::string name;
  double figures::*figure;
  target (*judge)(std::string name, double value, double limit);
  double value;
};

const std::vector<limit>& limits() {
  static const std::vector<limit> all = {
    {"event", "sequential p50, event-based, in floors", &figures::p50_us,
     at_most, event_latency_max},
    {"polling", "sequential p50, event-based on a worker that polls, in floors",
     &figures::p50_us, at_most, polling_latency_max},
    {"pinned", "sequential p50, pinned to the loop, in floors",
     &figures::p50_us, at_most, pinned_latency_max},
    {"pipeline",
     "requests/s, many in flight, event-based with a pipeline, in floors",
     &figures::requests_per_second, at_least, pipeline_throughput_min},
  };
  return all;
}

} // namespace

std::vector<target> judge(const results& found) {
  std::vector<target> result;
  const auto floor = found.rounds.find("floor");
  for (const auto& each : limits()) {
    const auto rounds = found.rounds.find(each.client);
    if (floor == found.rounds.end() || rounds == found.rounds.end())
      continue;
    const auto ratio = ratio_of(rounds->second, floor->second, each.figure);
    result.push_back(each.judge(each.name, ratio.median, each.value));
  }
  if (found.memory)
    result.push_back(at_most("growth of resident memory in MiB",
                             static_cast<double>(found.memory->growth()) / mib,
                             growth_mib_max));
  for (const auto& each : found.tables)
    result.insert(result.end(), each.targets.begin(), each.targets.end());
  return result;
}

} // namespace bench
