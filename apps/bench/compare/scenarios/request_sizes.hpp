// What requests cost, byte by byte.
#pragma once

#include "apps/bench/compare/options.hpp"
#include "apps/bench/compare/table.hpp"

namespace bench {

/// Requests of 100 B to 64 MiB with short answers, against a bare serialise and
/// write; with the memory that is held meanwhile.
table measure_request_sizes(const options& chosen);

} // namespace bench
