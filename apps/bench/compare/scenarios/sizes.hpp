// What results cost, byte by byte.
#pragma once

#include "apps/bench/compare/options.hpp"
#include "apps/bench/compare/table.hpp"

namespace bench {

/// Results of 100 B to 64 MiB: in one write, against a bare read and parse, and
/// in writes of 4 KiB; with the memory that is held meanwhile.
table measure_sizes(const options& chosen);

} // namespace bench
