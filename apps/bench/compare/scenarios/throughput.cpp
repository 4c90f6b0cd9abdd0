#include "throughput.hpp"

#include "apps/bench/compare/suite.hpp"

#include <chrono>
#include <iterator>
#include <map>

namespace bench {

namespace {

constexpr std::size_t in_flight[] = {1, 4, 16, 64, 256, 1024};

/// The caller whose part of the floor's throughput is shown.
constexpr auto best_caller = "pipeline";

/// All that can be measured here, the floor first.
std::vector<contender> find_callers() {
  std::vector<contender> result;
  for (const auto& each : contenders())
    if (each.hindrance().empty())
      result.push_back(each);
  return result;
}

/// Requests a second, by what was in flight.
using speeds = std::vector<double>;

/// A round of one caller, with a server of its own.
speeds measure(const contender& which, const options& chosen) {
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
  const auto callers = find_callers();
  std::map<std::string, std::vector<speeds>> found;
  for (std::size_t round = 0; round < chosen.rounds; ++round)
    for (const auto& each : callers)
      found[each.name].push_back(measure(each, chosen));
  table result{
    "requests/s of one connection, by what is in flight", {}, {}, {}};
  chart drawing{"throughput", "requests in flight", "requests/s"};
  for (const auto& each : callers) {
    drawing.columns.push_back(result.columns.size());
    result.columns.push_back(each.name);
  }
  result.columns.push_back(best_caller + std::string{", of the floor"});
  for (std::size_t i = 0; i < std::size(in_flight); ++i) {
    auto& row = result.rows.emplace_back();
    row.name = std::to_string(in_flight[i]);
    for (const auto& each : callers)
      row.cells.push_back(spread_of(found.at(each.name), i));
    row.cells.push_back(
      spread_of(found.at(best_caller), i, &found.at("floor")));
  }
  result.charts.push_back(std::move(drawing));
  return result;
}

} // namespace bench
