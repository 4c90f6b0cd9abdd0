// What a figure is held against.
#pragma once

#include <string>
#include <utility>

namespace bench {

enum class relation { at_most, at_least };

struct target {
  std::string name;
  double value = 0;
  double limit = 0;
  bool is_met = false;
  /// What the value must be of the limit.
  relation wanted = relation::at_most;
};

/// The value must not exceed the limit.
inline target at_most(std::string name, double value, double limit) {
  return {std::move(name), value, limit, value <= limit, relation::at_most};
}

/// The value must reach the limit.
inline target at_least(std::string name, double value, double limit) {
  return {std::move(name), value, limit, value >= limit, relation::at_least};
}

} // namespace bench
