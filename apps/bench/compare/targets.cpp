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

/// The same, in requests a second of a TypeScript client: the better one of two
/// is reached when both are.
constexpr double peer_throughput_min = 8;

/// Noise of the heap; one byte left behind by each request would be more.
constexpr double growth_mib_max = 0.5;

constexpr double mib = 1024 * 1024;

/// A figure of one client, as a multiple of that of another.
struct limit {
  std::string client;
  std::string base;
  std::string name;
  double figures::*figure;
  target (*judge)(std::string name, double value, double limit);
  double value;
};

const std::vector<limit>& limits() {
  static const std::vector<limit> all = {
    {"event", "floor", "sequential p50, event-based, in floors",
     &figures::p50_us, at_most, event_latency_max},
    {"polling", "floor",
     "sequential p50, event-based on a worker that polls, in floors",
     &figures::p50_us, at_most, polling_latency_max},
    {"pinned", "floor", "sequential p50, pinned to the loop, in floors",
     &figures::p50_us, at_most, pinned_latency_max},
    {"pipeline", "floor",
     "requests/s, many in flight, event-based with a pipeline, in floors",
     &figures::requests_per_second, at_least, pipeline_throughput_min},
    {"pipeline", "sdk-1",
     "requests/s, many in flight, with a pipeline, in TypeScript clients of "
     "version 1",
     &figures::requests_per_second, at_least, peer_throughput_min},
    {"pipeline", "sdk-2",
     "requests/s, many in flight, with a pipeline, in TypeScript clients of "
     "version 2",
     &figures::requests_per_second, at_least, peer_throughput_min},
  };
  return all;
}

} // namespace

std::vector<target> judge(const results& found) {
  std::vector<target> result;
  for (const auto& each : limits()) {
    const auto rounds = found.rounds.find(each.client);
    const auto base = found.rounds.find(each.base);
    if (rounds == found.rounds.end() || base == found.rounds.end())
      continue;
    const auto ratio = ratio_of(rounds->second, base->second, each.figure);
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
