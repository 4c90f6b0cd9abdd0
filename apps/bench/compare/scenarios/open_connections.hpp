// What a request costs where many connections are open.
#pragma once

#include "apps/bench/compare/options.hpp"
#include "apps/bench/compare/table.hpp"

namespace bench {

/// Makes requests one at a time, going round 1, 10, 100, ... connections in an
/// order that leaves each one cold.
table measure_open_connections(const options& chosen);

} // namespace bench
