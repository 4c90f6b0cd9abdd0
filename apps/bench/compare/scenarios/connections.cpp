#include "connections.hpp"

#include "floor_fleet.hpp"
#include "library_fleet.hpp"

namespace bench {

namespace {

constexpr std::size_t connections_max = 64;

/// Of each connection.
constexpr std::size_t in_flight = 16;

/// Requests a second of all connections together, which share `requests`.
template <class Fleet>
double speed_of(Fleet& fleet, std::size_t connections, std::size_t requests) {
  const load each{requests / connections + in_flight, in_flight};
  fleet.run({each.requests / 10 + 1, in_flight}); // warms up
  const auto time = fleet.run(each);
  return static_cast<double>(each.requests * connections)
         / std::chrono::duration<double>(time).count();
}

std::vector<spread> measure(const options& chosen, std::size_t connections) {
  floor_fleet floor{chosen.client, connections};
  library_fleet library{chosen.client, connections};
  const auto requests = chosen.pipelined_requests / 4;
  std::vector<double> floor_speed;
  std::vector<double> speed;
  std::vector<double> of_floor;
  for (std::size_t round = 0; round < chosen.rounds; ++round) {
    floor_speed.push_back(speed_of(floor, connections, requests));
    speed.push_back(speed_of(library, connections, requests));
    of_floor.push_back(speed.back() / floor_speed.back());
  }
  return {spread_of(floor_speed), spread_of(speed), spread_of(of_floor)};
}

} // namespace

table measure_connections(const options& chosen) {
  table result{"requests/s of all connections, " + std::to_string(in_flight)
                 + " in flight each",
               {"floor/s", "library/s", "of the floor"},
               {},
               {},
               {{"connections", "connections", "requests/s", {0, 1}}}};
  for (std::size_t count = 1; count <= connections_max; count *= 2)
    result.rows.push_back({std::to_string(count), measure(chosen, count)});
  return result;
}

} // namespace bench
