// What another node adds to a call.
#pragma once

#include "apps/bench/compare/options.hpp"
#include "apps/bench/compare/table.hpp"

namespace bench {

/// One call at a time: of a server of this process, of the same server of
/// another process, and a bare request of CAF to that process.
table measure_remote(const options& chosen);

} // namespace bench
