// What the figures are held against.
#pragma once

#include "suite.hpp"

#include <string>
#include <vector>

namespace bench {

struct target {
  std::string name;
  double value = 0;
  double limit = 0;
  bool is_met = false;
};

/// Judges the targets for which there are figures.
std::vector<target> judge(const results& found);

} // namespace bench
