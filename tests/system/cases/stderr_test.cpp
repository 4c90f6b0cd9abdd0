// Servers that write much to stderr.
#include "tests/support/player.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace caf_mcp;
using tests::call_t;
using tests::failure;
using tests::host;
using tests::player;
using tests::value;

TEST_CASE("a server that logs more than a pipe holds goes on") {
  player script{"stderr-flood"};
  host app;
  auto options = script.options();
  options.stderr_to.kind = stderr_kind::capture;
  auto server = app.open(options);
  for (auto i = 0; i < 3; ++i)
    value(call_t(app, server));
}

TEST_CASE("stderr without newlines is read and bounded") {
  player script{"stderr-without-newlines"};
  host app;
  auto options = script.options();
  options.stderr_to.kind = stderr_kind::capture;
  auto server = app.open(options);
  value(call_t(app, server));
}
