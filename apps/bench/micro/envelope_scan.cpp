#include "caf_mcp/messages/wire/envelope_scan.hpp"

#include "lines.hpp"

#include <benchmark/benchmark.h>

#include <cstdint>
#include <string>

namespace bench {

namespace {

void scan(benchmark::State& state, const std::string& line) {
  while (state.KeepRunning())
    benchmark::DoNotOptimize(caf_mcp::scan_envelope(line));
  state.SetBytesProcessed(state.iterations()
                          * static_cast<std::int64_t>(line.size()));
}

void scan_answer(benchmark::State& state) {
  scan(state, small_answer());
}

void scan_large_answer(benchmark::State& state) {
  scan(state, large_answer(static_cast<std::size_t>(state.range(0))));
}

void scan_rows(benchmark::State& state) {
  scan(state, answer_of_rows(static_cast<std::size_t>(state.range(0))));
}

BENCHMARK(scan_answer);
BENCHMARK(scan_large_answer)->Arg(1 << 20);
BENCHMARK(scan_rows)->Arg(10'000);

} // namespace

} // namespace bench
