#include "caf_mcp/actors/connection/capability_gate.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace caf_mcp;

namespace {

std::string_view missing(std::string_view method, std::string_view declared,
                         std::string_view version = "2025-11-25") {
  const capability_gate gate{parse_payload(declared), version};
  const auto* unmet = gate.unmet_for(method);
  if (unmet == nullptr)
    return {};
  return unmet->capability.empty() ? "another version" : unmet->capability;
}

} // namespace

TEST_CASE("a method needs its capability") {
  CHECK(missing("tools/call", "{}") == "tools");
  CHECK(missing("tools/call", R"({"tools": {}})").empty());
  CHECK(missing("resources/read", R"({"tools": {}})") == "resources");
  CHECK(missing("resources/subscribe", R"({"resources": {}})")
        == "resources.subscribe");
  CHECK(missing("resources/subscribe", R"({"resources": {"subscribe": true}})")
          .empty());
  CHECK(missing("logging/setLevel", "{}") == "logging");
  CHECK(missing("completion/complete", "{}") == "completions");
}

TEST_CASE("completion was no capability in the first version") {
  CHECK(missing("completion/complete", "{}", "2024-11-05").empty());
}

TEST_CASE("methods that need nothing are let through") {
  CHECK(missing("ping", "{}").empty());
  CHECK(missing("server/discover", "{}").empty());
  CHECK(missing("vendor/method", "{}").empty());
}

TEST_CASE("a server that declares nothing at all may support anything") {
  CHECK(missing("tools/call", "").empty());
}

TEST_CASE("a modern server is not sent what only legacy servers know") {
  for (const auto* method : {"ping", "logging/setLevel", "resources/subscribe",
                             "resources/unsubscribe"}) {
    INFO(method);
    CHECK(missing(method, "", "2026-07-28") == "another version");
    CHECK(missing(method, R"({"logging":{},"resources":{"subscribe":true}})",
                  "2026-07-28")
          == "another version");
    CHECK(missing(method, "").empty());
  }
  CHECK(missing("tools/call", R"({"tools":{}})", "2026-07-28").empty());
}
