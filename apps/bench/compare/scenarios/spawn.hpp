// What it takes to start a process, and whether that grows with the host.
#pragma once

#include "apps/bench/compare/options.hpp"
#include "apps/bench/compare/table.hpp"

namespace bench {

/// Starts a program that ends at once, from this process as it is and again
/// while it holds gigabytes of touched memory.
table measure_spawn(const options& chosen);

} // namespace bench
