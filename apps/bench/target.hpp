// What a figure is held against.
#pragma once

#include <string>
#include <utility>

namespace bench {

struct target {
  std::string name;
  double value = 0;
  double limit = 0;
  bool is_met = false;
};

/// The value must not exceed the limit.
inline target at_most(std::string name, double value, double limit) {
  return {std::move(name), value, limit, value <= limit};
}

/// The value must reach the limit.
inline target at_least(std::string name, double value, double limit) {
  return {std::move(name), value, limit, value >= limit};
}

} // namespace bench
