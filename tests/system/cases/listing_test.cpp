// Listings that do not end, or should not be asked for.
#include "tests/support/player.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

using namespace caf_mcp;
using tests::call_t;
using tests::failure;
using tests::host;
using tests::player;
using tests::value;

TEST_CASE("a listing that never ends is given up, and the session goes on") {
  const auto* name = GENERATE("cursor-repeats", "cursor-empty");
  INFO(name);
  player script{name};
  host app;
  auto server = app.open(script.options());
  list_all all;
  all.pages_max = 20;
  auto info = failure(ask(*app.self, server, all));
  CHECK((info.name == "repeated_cursor" || info.name == "too_many_pages"));
  CHECK(value(ask(*app.self, server, get_session{})).state
        == connection_state::ready);
}

TEST_CASE("what a server did not declare is not asked for") {
  player script{"only-tools"};
  host app;
  auto server = app.open(script.options());
  for (auto kind : {list_kind::tools, list_kind::resources,
                    list_kind::resource_templates, list_kind::prompts})
    value(ask(*app.self, server, list_all{kind}));
  CHECK_FALSE(script.marked("undeclared"));
}
