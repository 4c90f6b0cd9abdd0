#include "open_connections.hpp"

#include "descriptors.hpp"
#include "floor_fleet.hpp"
#include "library_fleet.hpp"

#include <algorithm>
#include <numeric>
#include <random>

namespace bench {

namespace {

/// The median with the most connections, in that with one.
constexpr double growth_max = 1.3;

/// Servers of both sides, and what their rounds found.
struct contest {
  contest(const options& chosen, std::size_t count)
    : count{count}, floor{chosen.client, count}, library{chosen.client, count} {
    // nop
  }

  std::size_t count;
  floor_fleet floor;
  library_fleet library;
  std::vector<double> floor_us;
  std::vector<double> library_us;
};

/// Returns numbers below `count`: round after round in one order, so that
/// nothing was used longer ago than what comes next.
std::vector<std::size_t> make_order(std::size_t count, std::size_t requests) {
  std::vector<std::size_t> round(count);
  std::iota(round.begin(), round.end(), std::size_t{0});
  std::shuffle(round.begin(), round.end(), std::mt19937{count});
  std::vector<std::size_t> result;
  for (std::size_t i = 0; i < requests; ++i)
    result.push_back(round[i % count]);
  return result;
}

template <class Fleet>
double median_us(Fleet& fleet, const std::vector<std::size_t>& order) {
  return to_us(quantile(fleet.tour(order), 0.5));
}

/// Returns values by those of another contest in the same rounds.
spread ratios(const std::vector<double>& values,
              const std::vector<double>& base) {
  std::vector<double> result;
  for (std::size_t i = 0; i < values.size(); ++i)
    result.push_back(values[i] / base[i]);
  return spread_of(std::move(result));
}

} // namespace

table measure_open_connections(const options& chosen) {
  allow_descriptors(chosen.servers_max * 4);
  std::vector<std::unique_ptr<contest>> contests;
  for (std::size_t count = 1; count <= chosen.servers_max; count *= 10)
    contests.push_back(std::make_unique<contest>(chosen, count));
  for (std::size_t round = 0; round <= chosen.rounds; ++round) {
    for (auto& each : contests) {
      const auto order = make_order(
        each->count, std::max(each->count, chosen.sequential_requests / 5));
      const auto floor_us = median_us(each->floor, order);
      const auto library_us = median_us(each->library, order);
      if (round == 0)
        continue; // warms up
      each->floor_us.push_back(floor_us);
      each->library_us.push_back(library_us);
    }
  }
  table result{"one request at a time, going round open connections, p50",
               {"floor us", "library us", "of the floor", "floor, of one",
                "library, of one"},
               {},
               {},
               {{"open-connections", "open connections", "us", {0, 1}}}};
  const auto& one = *contests.front();
  for (const auto& each : contests)
    result.rows.push_back(
      {std::to_string(each->count),
       {spread_of(each->floor_us), spread_of(each->library_us),
        ratios(each->library_us, each->floor_us),
        ratios(each->floor_us, one.floor_us),
        ratios(each->library_us, one.library_us)}});
  result.targets.push_back(at_most("p50 with " + result.rows.back().name
                                     + " connections open, in that with one",
                                   result.rows.back().cells[4].median,
                                   growth_max));
  return result;
}

} // namespace bench
