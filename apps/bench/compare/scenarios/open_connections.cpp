#include "open_connections.hpp"

#include "descriptors.hpp"
#include "floor_fleet.hpp"
#include "library_fleet.hpp"

#include <algorithm>
#include <numeric>
#include <random>

namespace bench {

namespace {

/// The median of requests to one of the most connections, in that with one.
constexpr double growth_max = 1.3;

/// Of going round all of them, in the growth of the floor.
constexpr double cold_growth_max = 1.3;

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
  std::vector<double> same_us;
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
      const std::vector<std::size_t> same(order.size());
      const auto same_us = median_us(each->library, same);
      if (round == 0)
        continue; // warms up
      each->floor_us.push_back(floor_us);
      each->library_us.push_back(library_us);
      each->same_us.push_back(same_us);
    }
  }
  table result{"one request at a time with many connections open, p50",
               {"to one, us", "to one, growth", "in turn, us", "floor us",
                "of the floor", "growth", "floor, growth"},
               {},
               {},
               {{"open-connections", "open connections", "us", {0, 2, 3}}}};
  const auto& one = *contests.front();
  for (const auto& each : contests)
    result.rows.push_back(
      {std::to_string(each->count),
       {spread_of(each->same_us), ratios(each->same_us, one.same_us),
        spread_of(each->library_us), spread_of(each->floor_us),
        ratios(each->library_us, each->floor_us),
        ratios(each->library_us, one.library_us),
        ratios(each->floor_us, one.floor_us)}});
  const auto& most = result.rows.back();
  result.targets
    = {at_most("p50 to one of " + most.name + " connections, in that with one",
               most.cells[1].median, growth_max),
       at_most("growth of p50 in turn over " + most.name
                 + " connections, in that of the floor",
               most.cells[5].median / most.cells[6].median, cold_growth_max)};
  return result;
}

} // namespace bench
