// A run as text and as JSON.
#pragma once

#include "suite.hpp"
#include "targets.hpp"

#include <iosfwd>

namespace bench {

void print_text(const options& chosen, const results& found, std::ostream& out);

void print_json(const options& chosen, const results& found, std::ostream& out);

/// Prints the targets that were missed; returns whether there are any.
bool print_missed(const results& found, std::ostream& out);

} // namespace bench
