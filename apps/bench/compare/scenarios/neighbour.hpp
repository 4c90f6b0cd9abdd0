// What a server that floods does to the requests of another one.
#pragma once

#include "apps/bench/compare/options.hpp"
#include "apps/bench/compare/table.hpp"

namespace bench {

/// Makes one request at a time to one server while another one, of the same
/// loop, writes messages of a size as fast as it can.
table measure_neighbour(const options& chosen);

} // namespace bench
