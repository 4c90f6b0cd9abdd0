// What a scenario finds: rows of figures, and targets.
#pragma once

#include "figures.hpp"
#include "target.hpp"

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace bench {

struct table_row {
  std::string name;
  /// One for each column; the last may be missing.
  std::vector<spread> cells;
};

/// A drawing of a table: its rows along the x axis, at the number that their
/// names begin with, and columns as lines. See charts.py.
struct chart {
  /// Of its file, without suffix.
  std::string name;
  std::string x_label;
  std::string y_label;
  /// Places of the columns that are drawn, from 0, all of one unit; empty: all.
  std::vector<std::size_t> columns = {};
};

struct table {
  std::string title;
  std::vector<std::string> columns;
  std::vector<table_row> rows;
  std::vector<target> targets;
  std::vector<chart> charts = {};
};

/// Returns the cells of a row by its name. Throws `std::logic_error` if there
/// is none.
inline const std::vector<spread>& cells_of(const table& found,
                                           std::string_view row) {
  for (const auto& each : found.rows)
    if (each.name == row)
      return each.cells;
  throw std::logic_error{"the table has no such row"};
}

} // namespace bench
