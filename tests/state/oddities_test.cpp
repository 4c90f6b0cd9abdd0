#include "caf_mcp/actors/state/oddities.hpp"

#include <catch2/catch_test_macros.hpp>

#include <vector>

using namespace caf_mcp;

TEST_CASE("an oddity is told of at powers of two") {
  oddities all;
  std::vector<std::uint64_t> told;
  for (auto i = 0; i < 9; ++i)
    if (auto count = all.add(oddity::stray_answer))
      told.push_back(*count);
  CHECK(told == std::vector<std::uint64_t>{1, 2, 4, 8});
  CHECK(all.add(oddity::batch) == 1); // has a count of its own
}

TEST_CASE("a bent id is told of once") {
  oddities all;
  CHECK(all.add(oddity::bent_id) == 1);
  CHECK(all.add(oddity::bent_id) == std::nullopt);
}
