// All that a run has found, for render.py.
#pragma once

#include "options.hpp"
#include "suite.hpp"

#include <iosfwd>

namespace bench {

/// Prints one JSON document, a member a line.
void print_json(const options& chosen, const results& found, std::ostream& out);

} // namespace bench
