#include "caf_mcp/actors/connection/protocol_violations.hpp"

#include <catch2/catch_test_macros.hpp>

#include <vector>

using namespace caf_mcp;

TEST_CASE("a protocol violation is reported at powers of two") {
  protocol_violations all;
  std::vector<std::uint64_t> told;
  for (auto i = 0; i < 9; ++i)
    if (auto count = all.add(protocol_violation::stray_answer))
      told.push_back(*count);
  CHECK(told == std::vector<std::uint64_t>{1, 2, 4, 8});
  CHECK(all.add(protocol_violation::batch) == 1); // has a count of its own
}

TEST_CASE("a coerced id is reported once") {
  protocol_violations all;
  CHECK(all.add(protocol_violation::coerced_id) == 1);
  CHECK(all.add(protocol_violation::coerced_id) == std::nullopt);
}
