// What the figures are held against.
#pragma once

#include "suite.hpp"

#include <vector>

namespace bench {

/// Judges the targets for which there are figures.
std::vector<target> judge(const results& found);

} // namespace bench
