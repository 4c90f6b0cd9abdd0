// Numbers and what becomes of them over several rounds.
#pragma once

#include "apps/bench/compare/clients/client.hpp"

#include <cstddef>
#include <limits>
#include <vector>

namespace bench {

/// What one client did in one round.
struct figures {
  /// One request at a time, in microseconds.
  double p50_us = 0;
  double p99_us = 0;
  double p999_us = 0;
  /// CPU time of the client's process a request, in microseconds, one at a
  /// time.
  double sequential_cpu_us = 0;
  /// How often a thread of that process waited, per request, one at a time.
  double sequential_waits = 0;
  /// Many in flight.
  double requests_per_second = 0;
  double pipelined_cpu_us = 0;
  double pipelined_waits = 0;
};

/// A figure over all rounds.
struct spread {
  double median = 0;
  double min = 0;
  double max = 0;
};

/// What is not measured.
inline constexpr spread not_measured{std::numeric_limits<double>::quiet_NaN(),
                                     std::numeric_limits<double>::quiet_NaN(),
                                     std::numeric_limits<double>::quiet_NaN()};

/// Returns the spread of `values`; of none: zeros.
spread spread_of(std::vector<double> values);

/// Returns the spread of one figure.
spread spread_of(const std::vector<figures>& rounds, double figures::*which);

/// Returns the spread of the ratios of one figure to that of `base` in the same
/// round: the rounds of both are as many.
spread ratio_of(const std::vector<figures>& rounds,
                const std::vector<figures>& base, double figures::*which);

/// Returns the value that `part` of all, from 0 to 1, do not exceed.
clock::duration quantile(std::vector<clock::duration> values, double part);

double to_us(clock::duration time);

} // namespace bench
