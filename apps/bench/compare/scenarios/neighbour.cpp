#include "neighbour.hpp"

#include "caf_mcp/actors/client.hpp"
#include "caf_mcp/actors/pipeline.hpp"

#include "library_fleet.hpp"

#include <caf/actor_cast.hpp>
#include <caf/event_based_actor.hpp>
#include <caf/scoped_actor.hpp>
#include <caf/send.hpp>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace bench {

namespace {

constexpr std::size_t message_bytes[] = {10, 20'000, 100'000, 1'000'000};

/// The 99th percentile, on two free cores.
constexpr double p99_ms_max = 5;

constexpr double us_per_ms = 1000;

/// So many answers are always under way.
constexpr std::size_t in_flight = 64;

/// Has a server write large answers without a pause, until it is told to end.
class flooder final : public caf::event_based_actor {
public:
  flooder(caf::actor_config& cfg, caf_mcp::connection server, std::size_t bytes)
    : event_based_actor{cfg},
      pipeline_{this, std::move(server)},
      bytes_{bytes} {
    // nop
  }

protected:
  caf::behavior make_behavior() override {
    for (std::size_t i = 0; i < in_flight; ++i)
      send_next();
    return {[](int) {}};
  }

private:
  void send_next() {
    pipeline_.ask(
      caf_mcp::call_tool("big", {{"bytes", bytes_}}),
      [this](const caf_mcp::payload&) { send_next(); },
      [](const caf::error&) {}); // the end of the connection
  }

  caf_mcp::pipeline<> pipeline_;
  std::size_t bytes_;
};

/// Returns the 99th percentile of a round, in milliseconds.
double measure_beside(const options& chosen, std::size_t bytes) {
  library_fleet fleet{chosen.client, 2};
  const auto& servers = fleet.servers();
  auto neighbour = fleet.system().spawn<flooder>(servers[0], bytes);
  const std::vector<std::size_t> order(chosen.sequential_requests / 10 + 1, 1);
  fleet.tour(order); // the flood has begun
  const auto p99 = to_us(quantile(fleet.tour(order), 0.99)) / us_per_ms;
  caf::scoped_actor self{fleet.system()};
  caf::anon_send_exit(neighbour, caf::exit_reason::user_shutdown);
  self->wait_for(neighbour);
  return p99;
}

} // namespace

table measure_neighbour(const options& chosen) {
  table result{
    "one request at a time beside a server that floods, p99", {"ms"}, {}, {}};
  for (const auto bytes : message_bytes) {
    std::vector<double> rounds;
    for (std::size_t round = 0; round < chosen.rounds; ++round)
      rounds.push_back(measure_beside(chosen, bytes));
    const auto found = spread_of(std::move(rounds));
    const auto name = std::to_string(bytes) + " B";
    result.rows.push_back({name, {found}});
    result.targets.push_back(
      at_most("p99 in ms beside a server that floods with messages of " + name,
              found.median, p99_ms_max));
  }
  return result;
}

} // namespace bench
