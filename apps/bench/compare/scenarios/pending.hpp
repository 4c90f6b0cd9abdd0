// What a request costs while many others have no answer.
#pragma once

#include "apps/bench/compare/options.hpp"
#include "apps/bench/compare/table.hpp"

namespace bench {

/// Makes requests one at a time with 1, 10, 100, ... others pending, and
/// cancels some: deadlines armed and taken back among those of the others.
table measure_pending(const options& chosen);

} // namespace bench
