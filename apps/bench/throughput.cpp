#include "throughput.hpp"

#include "client.hpp"

#include <iterator>

namespace bench {

namespace {

constexpr std::size_t in_flight[] = {1, 4, 16, 64, 256, 1024};

struct caller {
  std::string name;
  std::unique_ptr<client> (*make)(const client_options&);
};

/// The floor first.
const caller callers[] = {{"floor", make_floor_client},
                          {"event", make_event_client},
                          {"pipeline", make_pipeline_client},
                          {"pinned", make_pinned_client},
                          {"blocking", make_blocking_client}};

/// Requests a second, by what was in flight.
using speeds = std::vector<double>;

/// A round of one caller, with a server of its own.
speeds measure(const caller& which, const options& chosen) {
  const auto calls = which.make(chosen.client);
  speeds result;
  for (const auto count : in_flight) {
    const auto requests = count == 1 ? chosen.sequential_requests / 5 + 1
                                     : chosen.pipelined_requests / 10 + count;
    calls->run({requests / 10 + 1, count}); // warms up
    const auto found = calls->run({requests, count});
    result.push_back(static_cast<double>(requests)
                     / std::chrono::duration<double>(found.wall).count());
  }
  return result;
}

/// Returns figure `which` of each round, by that of the floor if there is one.
spread spread_of(const std::vector<speeds>& rounds, std::size_t which,
                 const std::vector<speeds>* floor = nullptr) {
  std::vector<double> values;
  for (std::size_t round = 0; round < rounds.size(); ++round)
    values.push_back(rounds[round][which]
                     / (floor == nullptr ? 1 : (*floor)[round][which]));
  return bench::spread_of(std::move(values));
}

} // namespace

table measure_throughput(const options& chosen) {
  std::vector<std::vector<speeds>> found(std::size(callers));
  for (std::size_t round = 0; round < chosen.rounds; ++round)
    for (std::size_t i = 0; i < found.size(); ++i)
      found[i].push_back(measure(callers[i], chosen));
  table result{
    "requests/s of one connection, by what is in flight", {}, {}, {}};
  for (const auto& each : callers)
    result.columns.push_back(each.name + "/s");
  for (std::size_t i = 1; i < found.size(); ++i)
    result.columns.push_back(callers[i].name + ", of the floor");
  for (std::size_t i = 0; i < std::size(in_flight); ++i) {
    auto& row = result.rows.emplace_back();
    row.name = std::to_string(in_flight[i]);
    for (const auto& each : found)
      row.cells.push_back(spread_of(each, i));
    for (std::size_t j = 1; j < found.size(); ++j)
      row.cells.push_back(spread_of(found[j], i, &found.front()));
  }
  return result;
}

} // namespace bench
