#include "caf_mcp/messages/env_value.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace caf_mcp;

TEST_CASE("a variable is a text, a secret or unset", "[env_value]") {
  SECTION("a text is visible") {
    auto x = env_value{"C"};
    CHECK(x.kind() == env_kind::text);
    CHECK(x.visible_text() == "C");
    REQUIRE(x.reveal() != nullptr);
    CHECK(*x.reveal() == "C");
  }
  SECTION("a secret is revealed only") {
    auto x = env_value{secret{"key"}};
    CHECK(x.kind() == env_kind::secret);
    CHECK(x.visible_text().empty());
    REQUIRE(x.reveal() != nullptr);
    CHECK(*x.reveal() == "key");
  }
  SECTION("an unset variable has no text") {
    auto x = env_value{unset_variable{}};
    CHECK(x.kind() == env_kind::unset);
    CHECK(x.visible_text().empty());
    CHECK(x.reveal() == nullptr);
  }
}

TEST_CASE("an empty text is not an unset variable", "[env_value]") {
  CHECK(env_value{""} == env_value{});
  CHECK_FALSE(env_value{""} == env_value{unset_variable{}});
  CHECK_FALSE(env_value{""} == env_value{secret{}});
}
