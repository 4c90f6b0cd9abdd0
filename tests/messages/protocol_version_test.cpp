#include "caf_mcp/messages/protocol_version.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace caf_mcp;

TEST_CASE("the published versions are known", "[protocol_version]") {
  for (auto version :
       {"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"}) {
    CHECK(is_known(version));
    CHECK_FALSE(is_modern(version));
    CHECK(era_of(version) == era::legacy);
  }
  CHECK(is_known("2026-07-28"));
  CHECK(is_modern("2026-07-28"));
}

TEST_CASE("other versions are not known", "[protocol_version]") {
  for (auto version : {"", "1", "2025-11-26", "2026-07-28 ", "latest"}) {
    CHECK_FALSE(is_known(version));
    CHECK_FALSE(is_modern(version));
    CHECK(era_of(version) == std::nullopt);
  }
}

TEST_CASE("the latest version of an era is the last of the table",
          "[protocol_version]") {
  auto latest = [](era which) {
    std::string_view result;
    for (const auto& revision : known_revisions)
      if (revision.era == which)
        result = revision.version;
    return result;
  };
  CHECK(latest(era::legacy) == latest_legacy);
  CHECK(latest(era::modern) == latest_modern);
}
