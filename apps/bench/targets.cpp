#include "targets.hpp"

#include <algorithm>
#include <optional>

namespace bench {

namespace {

/// Sequential median of the event-based caller, as a multiple of the floor's.
constexpr double latency_ratio_max = 1.8;

/// Requests a second of the event-based caller with a pipeline, as a part of
/// the floor's.
constexpr double throughput_ratio_min = 0.45;

/// The same, in requests a second of the better TypeScript client.
constexpr double peer_ratio_min = 8;

/// Noise of the heap; one byte left behind by each request would be more.
constexpr double growth_mib_max = 0.5;

constexpr double mib = 1024 * 1024;

/// Returns the requests a second of `rounds` in those of the better TypeScript
/// client; of none: nothing.
std::optional<double> ratio_to_peers(const results& found,
                                     const std::vector<figures>& rounds) {
  std::optional<double> least;
  for (const auto* name : {"sdk-1", "sdk-2"}) {
    const auto peer = found.rounds.find(name);
    if (peer == found.rounds.end())
      continue;
    const auto ratio
      = ratio_of(rounds, peer->second, &figures::requests_per_second).median;
    least = std::min(ratio, least.value_or(ratio));
  }
  return least;
}

} // namespace

std::vector<target> judge(const results& found) {
  std::vector<target> result;
  const auto floor = found.rounds.find("floor");
  const auto event = found.rounds.find("event");
  const auto pipeline = found.rounds.find("pipeline");
  if (floor != found.rounds.end() && event != found.rounds.end())
    result.push_back(
      at_most("sequential p50, event-based, in floors",
              ratio_of(event->second, floor->second, &figures::p50_us).median,
              latency_ratio_max));
  if (floor != found.rounds.end() && pipeline != found.rounds.end())
    result.push_back(at_least(
      "requests/s, many in flight, event-based with a pipeline, in floors",
      ratio_of(pipeline->second, floor->second, &figures::requests_per_second)
        .median,
      throughput_ratio_min));
  if (pipeline != found.rounds.end())
    if (const auto ratio = ratio_to_peers(found, pipeline->second))
      result.push_back(at_least(
        "requests/s, many in flight, event-based with a pipeline, in those of "
        "the better TypeScript client",
        *ratio, peer_ratio_min));
  if (found.memory)
    result.push_back(at_most("growth of resident memory in MiB",
                             static_cast<double>(found.memory->growth()) / mib,
                             growth_mib_max));
  for (const auto& each : found.tables)
    result.insert(result.end(), each.targets.begin(), each.targets.end());
  return result;
}

} // namespace bench
