// Messages that a JSON parser refuses, or would change.
#include "tests/support/player.hpp"
#include "tests/support/wait_until.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include <algorithm>

using namespace caf_mcp;
using tests::call_t;
using tests::failure;
using tests::host;
using tests::player;
using tests::value;

TEST_CASE("bad text fails the one request that it answers, at once") {
  const auto* name = GENERATE("result-not-utf8", "lone-surrogate");
  INFO(name);
  player script{name};
  host app;
  auto server = app.open(script.options());
  CHECK(failure(call_t(app, server)).name == "invalid_response");
  value(call_t(app, server));
}

TEST_CASE("deep results are fine, endless ones fail their request only") {
  player script{"deep-results"};
  host app;
  auto server = app.open(script.options());
  value(call_t(app, server));
  CHECK(failure(call_t(app, server)).name == "invalid_response");
  value(call_t(app, server));
}

TEST_CASE("the id of a server request is echoed exactly") {
  player script{"large-request-ids"};
  host app;
  auto server = app.open(script.options());
  // The script does not look at calls before it has all its answers.
  auto answers = [&] {
    auto events = script.log();
    return std::count_if(events.begin(), events.end(), [](const auto& each) {
      const auto* kind = each.if_contains("kind");
      return kind != nullptr && *kind == "response";
    });
  };
  REQUIRE(tests::wait_until([&] { return answers() == 6; }));
  value(call_t(app, server));
  for (const auto* mark : {"no-echo-2^53+1", "no-echo--1", "no-echo-2^64-1",
                           "no-echo-2^64", "no-echo-string", "no-echo-empty"})
    CHECK_FALSE(script.marked(mark));
}
