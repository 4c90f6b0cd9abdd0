#include "caf_mcp/actors/state/oddities.hpp"

#include <catch2/catch_test_macros.hpp>

#include <vector>

using namespace caf_mcp;

namespace {

std::vector<std::uint64_t> told(oddity kind, int times) {
  oddities counter;
  std::vector<std::uint64_t> result;
  for (auto i = 0; i < times; ++i)
    if (auto count = counter.add(kind))
      result.push_back(*count);
  return result;
}

} // namespace

TEST_CASE("of what a server does wrong again and again, ever less is told") {
  CHECK(told(oddity::stray_answer, 1000)
        == std::vector<std::uint64_t>{1, 2, 4, 8, 16, 32, 64, 128, 256, 512});
}

TEST_CASE("a server that bends ids is told of once") {
  CHECK(told(oddity::bent_id, 1000) == std::vector<std::uint64_t>{1});
}

TEST_CASE("each kind of oddity is counted for itself") {
  oddities counter;
  CHECK(counter.add(oddity::batch) == 1);
  CHECK(counter.add(oddity::unreadable) == 1);
  CHECK(counter.add(oddity::forbidden_request) == 1);
  CHECK(counter.add(oddity::batch) == 2);
}
