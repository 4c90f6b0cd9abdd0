// A run as text, as Markdown and as JSON.
#pragma once

#include "apps/bench/suite.hpp"
#include "apps/bench/targets.hpp"

#include <iosfwd>

namespace bench {

void print_text(const options& chosen, const results& found, std::ostream& out);

/// Prints what `docs/performance.md` shows.
void print_markdown(const options& chosen, const results& found,
                    std::ostream& out);

/// Prints everything there is; `charts.py` draws it.
void print_json(const options& chosen, const results& found, std::ostream& out);

/// Prints the targets that were missed; returns whether there are any.
bool print_missed(const results& found, std::ostream& out);

} // namespace bench
