#include "caf_mcp/messages/wire/framer.hpp"

#include "lines.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace bench {

namespace {

/// As much as a port owner reads at once.
constexpr std::size_t chunk_bytes = std::size_t{64} * 1024;

constexpr std::size_t line_bytes_max = std::size_t{64} * 1024 * 1024;

/// Cuts `input` into lines, as it arrives in chunks. Returns how many.
std::size_t cut(caf_mcp::framer& framer, std::string_view input) {
  std::size_t lines = 0;
  while (!input.empty()) {
    const auto chunk = input.substr(0, chunk_bytes);
    std::memcpy(framer.prepare(chunk.size()), chunk.data(), chunk.size());
    framer.commit(chunk.size());
    input.remove_prefix(chunk.size());
    while (framer.next())
      ++lines;
  }
  return lines;
}

void run(benchmark::State& state, std::string_view input) {
  caf_mcp::framer framer{line_bytes_max};
  while (state.KeepRunning())
    benchmark::DoNotOptimize(cut(framer, input));
  state.SetBytesProcessed(state.iterations()
                          * static_cast<std::int64_t>(input.size()));
}

void framer_small_lines(benchmark::State& state) {
  std::string input;
  while (input.size() < chunk_bytes)
    input += small_answer() + '\n';
  run(state, input);
}

void framer_large_line(benchmark::State& state) {
  run(state, large_answer(static_cast<std::size_t>(state.range(0))) + '\n');
}

BENCHMARK(framer_small_lines);
BENCHMARK(framer_large_line)->RangeMultiplier(16)->Range(1 << 16, 1 << 24);

} // namespace

} // namespace bench
