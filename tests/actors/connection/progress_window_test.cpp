#include "caf_mcp/actors/connection/progress_window.hpp"

#include <catch2/catch_test_macros.hpp>

using caf_mcp::progress;
using caf_mcp::progress_window;

namespace {

progress report(double value) {
  return {0, value, {}, {}};
}

/// Adds as many reports as may be under way.
void fill(progress_window& window) {
  for (auto i = 0U; i < progress_window::untaken_max; ++i)
    REQUIRE(window.add(report(i)));
}

} // namespace

TEST_CASE("reports are sent as long as their receiver keeps up") {
  progress_window window;
  for (auto i = 0; i < 1000; ++i) {
    auto sent = window.add(report(i));
    REQUIRE(sent);
    CHECK(sent->value == i);
    CHECK_FALSE(window.on_taken());
  }
  CHECK_FALSE(window.finish());
}

TEST_CASE("of reports that a slow receiver leaves, the newest is kept") {
  progress_window window;
  fill(window);
  for (auto i = 1000; i < 2000; ++i)
    CHECK_FALSE(window.add(report(i)));
  auto next = window.on_taken();
  REQUIRE(next);
  CHECK(next->value == 1999);
  CHECK_FALSE(window.add(report(2000)));
  CHECK(window.on_taken()->value == 2000);
  CHECK_FALSE(window.on_taken());
  CHECK(window.add(report(2001)));
}

TEST_CASE("the newest report comes before the answer") {
  progress_window window;
  fill(window);
  window.add(report(1000));
  CHECK(window.finish()->value == 1000);
  CHECK_FALSE(window.finish());
}
