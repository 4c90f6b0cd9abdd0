// How long it takes until a server can be used.
#pragma once

#include "apps/bench/compare/options.hpp"
#include "apps/bench/compare/table.hpp"

namespace bench {

/// Opens connections one at a time and 100 at once; until the handshake is
/// done.
table measure_spawn_ready(const options& chosen);

} // namespace bench
