// Requests a second with few and many in flight.
#pragma once

#include "apps/bench/compare/options.hpp"
#include "apps/bench/compare/table.hpp"

namespace bench {

/// Keeps 1, 4, 16, 64, 256 and 1,024 requests of one connection in flight, with
/// each way to call.
table measure_throughput(const options& chosen);

} // namespace bench
