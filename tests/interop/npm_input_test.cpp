// A server of the official SDK that asks for input.
#include "tests/support/host.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/sdk_server.hpp"
#include "tests/support/tool.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <string>

using namespace caf_mcp;
using Catch::Matchers::ContainsSubstring;
using tests::first_text;
using tests::host;
using tests::sdk_server;
using tests::tool_run;
using tests::value;

namespace {

handlers naming_ada() {
  handlers result;
  result.elicit_form = [](const server_request&) {
    return parse_payload(R"({"action":"accept","content":{"name":"Ada"}})");
  };
  return result;
}

std::vector<std::string> interview() {
  return {"call", "interview", "--", "node",
          tests::test_file("servers/modern-server.mjs")};
}

} // namespace

TEST_CASE("a server of the official SDK gets the form it asks for", "[npm]") {
  auto mode = GENERATE(era_mode::modern, era_mode::legacy);
  host app;
  auto options = sdk_server();
  options.mode = mode;
  auto server = app.open(options, naming_ada());
  CHECK(first_text(value(ask(*app.self, server, call_tool("ask"))))
        == R"({"name":"Ada","age":42})");
}

TEST_CASE("three rounds of input with a server of the official SDK", "[npm]") {
  host app;
  auto server = app.open(sdk_server(), naming_ada());
  CHECK(first_text(value(ask(*app.self, server, call_tool("interview"))))
        == "three accept accept,accept,accept accept");
}

TEST_CASE("three rounds of input work from the tool, with and without a "
          "terminal",
          "[npm][tool]") {
  tool_run::setup how;
  how.env["PATH"] = tests::path_with_node();
  auto declined = tests::run_tool(interview(), how);
  CHECK(declined.out == "three decline decline,decline,decline decline\n");
  CHECK(declined.status == 0);
  how.screen = tests::tool_screen::terminal;
  how.has_keyboard = true;
  tool_run run{interview(), how};
  for (auto dialog = 0; dialog < 5; ++dialog)
    run.type("Ada\n\nyes\n");
  auto accepted = run.finish();
  CHECK_THAT(accepted.out,
             ContainsSubstring("three accept accept,accept,accept accept"));
  CHECK(accepted.status == 0);
}
