#include "caf_mcp/actors/connection/request_table.hpp"

#include <benchmark/benchmark.h>

#include <chrono>
#include <cstdint>
#include <utility>

namespace bench {

namespace {

using caf_mcp::request_table;

using clock = request_table::clock;

constexpr clock::time_point start{std::chrono::hours{1}};

std::int64_t add(request_table& table, clock::time_point deadline) {
  caf_mcp::pending_request request;
  request.deadline = deadline;
  return table.add(std::move(request), nullptr).id;
}

/// Adds `count` requests, each with a later deadline than the one before.
/// Returns the last.
clock::time_point fill(request_table& table, std::int64_t count) {
  auto deadline = start;
  for (std::int64_t i = 0; i < count; ++i)
    add(table, deadline += std::chrono::microseconds{1});
  return deadline;
}

/// The life of a request that is answered, while others are pending.
void deadline_armed_and_cancelled(benchmark::State& state) {
  request_table table;
  auto deadline = fill(table, state.range(0));
  while (state.KeepRunning()) {
    const auto id = add(table, deadline += std::chrono::microseconds{1});
    benchmark::DoNotOptimize(table.next_deadline());
    benchmark::DoNotOptimize(table.take(id));
  }
  state.SetItemsProcessed(state.iterations());
}

/// The same where all others have longer time-outs.
void early_deadline_armed_and_cancelled(benchmark::State& state) {
  request_table table;
  fill(table, state.range(0));
  while (state.KeepRunning()) {
    const auto id = add(table, start);
    benchmark::DoNotOptimize(table.next_deadline());
    benchmark::DoNotOptimize(table.take(id));
  }
  state.SetItemsProcessed(state.iterations());
}

/// All pending requests expire at once.
void deadlines_expire(benchmark::State& state) {
  while (state.KeepRunning()) {
    state.PauseTiming();
    request_table table;
    const auto last = fill(table, state.range(0));
    state.ResumeTiming();
    for (auto id : table.overdue(last))
      benchmark::DoNotOptimize(table.take(id));
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

BENCHMARK(deadline_armed_and_cancelled)->Arg(1)->Arg(1'000)->Arg(100'000);
BENCHMARK(early_deadline_armed_and_cancelled)->Arg(1)->Arg(1'000)->Arg(100'000);
BENCHMARK(deadlines_expire)->Arg(1)->Arg(1'000)->Arg(100'000);

} // namespace

} // namespace bench
