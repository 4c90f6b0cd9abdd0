// The client scenarios of the official conformance suite that do not need HTTP
// itself, over a bridge from stdio to HTTP.
#include "tests/support/paths.hpp"
#include "tests/support/shell.hpp"

#include <boost/json/parse.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include <string>

namespace {

/// Runs the suite, which runs the client and writes its checks as JSON.
tests::shell_result conform(const std::string& arguments) {
  auto client = tests::binary("conformance-client") + ' '
                + tests::test_file("servers/http-bridge.mjs");
  return tests::run_shell("PATH='" + tests::node_directory() + "':\"$PATH\" '"
                          + tests::npm_binary("conformance")
                          + "' client --verbose" + " --command '" + client
                          + "' --scenario " + arguments);
}

} // namespace

TEST_CASE("the official conformance suite has nothing to object to", "[npm]") {
  const auto* scenario = GENERATE(
    "initialize", "tools_call", "elicitation-sep1034-client-defaults",
    "request-metadata", "sep-2322-client-request-state",
    "json-schema-ref-no-deref", "json-schema-2020-12-preservation",
    "tools_call --spec-version 2026-07-28",
    "json-schema-2020-12-preservation --spec-version 2026-07-28");
  CAPTURE(scenario);
  auto [out, status] = conform(scenario);
  CAPTURE(out);
  REQUIRE(status == 0);
  auto checks = boost::json::parse(out).as_array();
  CHECK_FALSE(checks.empty());
  for (const auto& check : checks) {
    CAPTURE(check.at("id").as_string());
    // Neither a failure nor a warning, and nothing left out.
    CHECK((check.at("status") == "SUCCESS" || check.at("status") == "INFO"));
  }
}
