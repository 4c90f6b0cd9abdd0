#include "caf_mcp/actors/connection/reconnect_policy.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace caf_mcp;
using namespace std::chrono_literals;

namespace {

constexpr reconnect_policy::clock::time_point start{1h};

bool is_between(std::optional<std::chrono::milliseconds> pause,
                std::chrono::milliseconds min, std::chrono::milliseconds max) {
  return pause && *pause >= min && *pause <= max;
}

} // namespace

TEST_CASE("without attempts a lost server stays lost") {
  reconnect_policy policy{0, 1};
  CHECK_FALSE(policy.on_lost(start).has_value());
  policy.on_ready(start);
  CHECK_FALSE(policy.on_lost(start + 1h).has_value());
}

TEST_CASE("as many attempts are made as are allowed") {
  reconnect_policy policy{3, 1};
  for (auto i = 0; i < 3; ++i)
    CHECK(policy.on_lost(start).has_value());
  CHECK_FALSE(policy.on_lost(start).has_value());
  CHECK_FALSE(policy.on_lost(start).has_value());
}

TEST_CASE("the pause doubles up to 30 s, less at most a half") {
  for (std::uint32_t seed = 1; seed < 50; ++seed) {
    reconnect_policy policy{100, seed};
    auto full = 250ms;
    for (auto i = 0; i < 20; ++i) {
      CHECK(is_between(policy.on_lost(start), full / 2, full));
      full = std::min<std::chrono::milliseconds>(full * 2, 30s);
    }
  }
}

TEST_CASE("two clients do not pause alike") {
  reconnect_policy one{10, 1};
  reconnect_policy other{10, 2};
  auto differ = false;
  for (auto i = 0; i < 10; ++i)
    differ = one.on_lost(start) != other.on_lost(start) || differ;
  CHECK(differ);
}

TEST_CASE("a server that stays up for 10 s has all attempts again") {
  reconnect_policy policy{2, 1};
  policy.on_lost(start);
  policy.on_lost(start);
  policy.on_ready(start);
  CHECK(is_between(policy.on_lost(start + 10s), 125ms, 250ms));
  CHECK(policy.on_lost(start + 10s).has_value());
  CHECK_FALSE(policy.on_lost(start + 10s).has_value());
}

TEST_CASE("a server that ends sooner uses its attempts up") {
  reconnect_policy policy{2, 1};
  auto now = start;
  for (auto i = 0; i < 2; ++i) {
    policy.on_ready(now);
    now += 9999ms;
    CHECK(policy.on_lost(now).has_value());
  }
  policy.on_ready(now);
  CHECK_FALSE(policy.on_lost(now + 9999ms).has_value());
}

TEST_CASE("the life of one server does not count for the next") {
  reconnect_policy policy{1, 1};
  policy.on_ready(start);
  CHECK(policy.on_lost(start + 1h).has_value());
  // This one never became ready.
  CHECK_FALSE(policy.on_lost(start + 2h).has_value());
}
