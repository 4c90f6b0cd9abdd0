// What the measurements of small and large messages share.
#pragma once

#include "apps/bench/compare/clients/client.hpp"
#include "apps/bench/compare/figures.hpp"
#include "apps/bench/compare/table.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <vector>

namespace bench {

inline constexpr std::size_t kib = 1024;
inline constexpr std::size_t mib = 1024 * kib;

/// Calls `once` often enough that the clock does not matter; microseconds a
/// call, of the best of three times.
template <class Function>
double time_call(std::size_t bytes, Function once) {
  const auto calls = std::clamp<std::size_t>(4 * mib / bytes, 1, 200);
  auto best = clock::duration::max();
  for (auto i = 0; i < 3; ++i) {
    const auto start = clock::now();
    for (std::size_t call = 0; call < calls; ++call)
      once();
    best = std::min(best, clock::now() - start);
  }
  return to_us(best) / static_cast<double>(calls);
}

/// Returns a row for each size from 100 B to 64 MiB. `measure` returns its
/// first cells. For large messages, the last one is the memory that one makes
/// the process hold, in messages: `hold` returns how many bytes it is, and runs
/// in a process of its own, so it needs one without other threads now.
std::vector<table_row> measure_each_size(
  const std::function<std::vector<spread>(std::size_t)>& measure,
  const std::function<std::size_t(std::size_t)>& hold);

} // namespace bench
