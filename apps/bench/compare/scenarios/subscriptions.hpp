// What becomes of events that a server reports as fast as it can.
#pragma once

#include "apps/bench/compare/options.hpp"
#include "apps/bench/compare/table.hpp"

namespace bench {

/// Counts the events a second of one server, with owners that keep up and
/// owners that do not; and what the owners get of them.
table measure_subscriptions(const options& chosen);

} // namespace bench
