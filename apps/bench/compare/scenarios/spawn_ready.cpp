#include "spawn_ready.hpp"

#include "caf_mcp/actors/client.hpp"

#include "apps/bench/compare/clients/library_host.hpp"
#include "floor_fleet.hpp"

#include <caf/scoped_actor.hpp>

#include <stdexcept>

namespace bench {

namespace {

constexpr std::size_t one_by_one = 20;
constexpr std::size_t at_once = 100;

double to_ms(clock::duration time) {
  return to_us(time) / 1000;
}

/// An application that opens connections.
class opener {
public:
  explicit opener(const client_options& options)
    : options_{options}, system_{set_up(config_, options)}, runtime_{system_} {
    // nop
  }

  /// Opens so many connections; until the last is ready.
  clock::duration open(std::size_t count) {
    std::vector<caf_mcp::connection> servers;
    servers.reserve(count);
    const auto start = clock::now();
    for (std::size_t i = 0; i < count; ++i)
      servers.push_back(connect());
    tell_all(servers, caf_mcp::open_connection{},
             [](const caf_mcp::session_info&) {});
    const auto time = clock::now() - start;
    tell_all(servers, caf_mcp::close_connection{}, [] {});
    return time;
  }

private:
  caf_mcp::connection connect() {
    auto started = caf_mcp::spawn_connection(runtime_, start_options(options_));
    if (!started)
      fail(started.error());
    return *started;
  }

  /// Sends all of them `message`, then waits for their answers.
  template <class Message, class OnAnswer>
  void tell_all(const std::vector<caf_mcp::connection>& servers,
                Message message, OnAnswer on_answer) {
    auto send = [&](const caf_mcp::connection& server) {
      return ask(self_.ptr(), server, message);
    };
    std::vector<decltype(send(servers.front()))> answers;
    for (const auto& each : servers)
      answers.push_back(send(each));
    for (auto& each : answers)
      std::move(each).receive(on_answer, fail);
  }

  [[noreturn]] static void fail(const caf::error& error) {
    throw std::runtime_error{caf_mcp::describe(error).message};
  }

  client_options options_;
  caf::actor_system_config config_;
  caf::actor_system system_;
  caf_mcp::runtime runtime_;
  caf::scoped_actor self_{system_};
};

/// Starts as many servers, and does as many handshakes, at the same time too.
clock::duration open_floor(const client_options& options, std::size_t count) {
  const auto start = clock::now();
  floor_fleet servers{options, count};
  return clock::now() - start;
}

template <class Function>
double median_ms(Function open_one) {
  std::vector<clock::duration> times;
  for (std::size_t i = 0; i < one_by_one; ++i)
    times.push_back(open_one());
  return to_ms(quantile(std::move(times), 0.5));
}

/// Rounds of both, in ms.
struct times {
  std::vector<double> floor;
  std::vector<double> library;
  std::vector<double> of_floor;

  void add(double floor_ms, double library_ms) {
    floor.push_back(floor_ms);
    library.push_back(library_ms);
    of_floor.push_back(library_ms / floor_ms);
  }

  /// Returns a row of these, each for `servers` servers.
  table_row row(std::string name, double servers = 1) const {
    auto divided = [servers](std::vector<double> values) {
      for (auto& each : values)
        each /= servers;
      return spread_of(std::move(values));
    };
    return {std::move(name),
            {divided(floor), divided(library), spread_of(of_floor)}};
  }
};

} // namespace

table measure_spawn_ready(const options& chosen) {
  opener library{chosen.client};
  times single;
  times many;
  library.open(1); // warms up
  for (std::size_t round = 0; round < chosen.rounds; ++round) {
    single.add(median_ms([&] { return open_floor(chosen.client, 1); }),
               median_ms([&] { return library.open(1); }));
    many.add(to_ms(open_floor(chosen.client, at_once)),
             to_ms(library.open(at_once)));
  }
  table result{"from open to ready, ms",
               {"floor ms", "library ms", "of the floor"},
               {},
               {}};
  result.rows = {single.row("1"), many.row("100"),
                 many.row("100, each", static_cast<double>(at_once))};
  return result;
}

} // namespace bench
