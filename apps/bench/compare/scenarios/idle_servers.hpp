// What servers cost that do nothing.
#pragma once

#include "apps/bench/compare/options.hpp"
#include "apps/bench/compare/table.hpp"

namespace bench {

/// Many servers in one hub: memory of this process for each, and its CPU time
/// while nobody asks for anything.
table measure_idle_servers(const options& chosen);

} // namespace bench
