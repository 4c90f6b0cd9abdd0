#pragma once

#include "tests/support/processes.hpp"

#include <catch2/catch_test_macros.hpp>

namespace tests {

/// Checks at its end that no child, not even a zombie, and no descriptor is
/// left of what happened since its start.
class leftover_check {
public:
  leftover_check() = default;

  ~leftover_check() {
    CHECK(children().empty());
    CHECK(open_descriptors() == descriptors_);
  }

  leftover_check(const leftover_check&) = delete;
  leftover_check& operator=(const leftover_check&) = delete;

private:
  std::size_t descriptors_ = open_descriptors();
};

} // namespace tests
