// What a run has found in words, for text and Markdown alike.
#pragma once

#include "apps/bench/suite.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace bench {

/// A table of words; the first column names the rows.
struct text_table {
  std::string title;
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;

  /// Returns whether all rows have a figure there, so that they are aligned by
  /// their last digits.
  bool has_figures(std::size_t column) const;
};

/// Returns `value` with so many digits after the point, and commas between
/// thousands.
std::string number(double value, int digits);

/// Returns where and how was measured, a line each.
std::vector<std::string> setting_of(const options& chosen,
                                    const results& found);

/// Returns all figures and targets.
std::vector<text_table> tables_of(const options& chosen, const results& found);

} // namespace bench
