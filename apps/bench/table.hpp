// What a scenario finds: rows of figures, and targets.
#pragma once

#include "figures.hpp"
#include "target.hpp"

#include <string>
#include <vector>

namespace bench {

struct table_row {
  std::string name;
  /// One for each column.
  std::vector<spread> cells;
};

struct table {
  std::string title;
  std::vector<std::string> columns;
  std::vector<table_row> rows;
  std::vector<target> targets;
};

} // namespace bench
