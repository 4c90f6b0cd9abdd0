// The structuredContent of tools, checked against what they promise.
#include "tests/support/player.hpp"

#include <catch2/catch_test_macros.hpp>

#include <string>

using namespace caf_mcp;
using tests::failure;
using tests::host;
using tests::player;
using tests::value;

namespace {

caf::expected<payload> call(host& app, const connection& server,
                            const std::string& tool,
                            boost::json::object output) {
  return ask(*app.self, server, call_tool(tool, std::move(output)));
}

} // namespace

TEST_CASE("a tool that breaks its promise is an invalid response") {
  player script{"output-echo"};
  host app;
  auto server = app.open(script.options());
  // Nothing is known of the tool yet.
  value(call(app, server, "t", {{"n", "no integer"}}));
  CHECK(value(ask(*app.self, server, list_all{})).value().as_array().size()
        == 2);
  CHECK(value(call(app, server, "t", {{"n", 1}}))
          .member("structuredContent")
          .to_json()
        == R"({"n":1})");
  auto info = failure(call(app, server, "t", {{"n", "no integer"}}));
  CHECK(info.origin == error_origin::local);
  CHECK(info.name == "invalid_response");
  CHECK(info.message.find("structuredContent of t") != std::string::npos);
}

TEST_CASE("the check of what tools answer is an option") {
  player script{"output-echo"};
  host app;
  auto options = script.options();
  options.allow_invalid_output = true;
  auto server = app.open(options);
  value(ask(*app.self, server, list_all{}));
  value(call(app, server, "t", {{"n", "no integer"}}));
}

TEST_CASE("a schema that is not checked is reported once") {
  player script{"output-echo"};
  host app;
  caf::scoped_actor log{app.system()};
  auto server = app.connect(script.options(),
                            caf::actor_cast<log_listener>(caf::actor{log}));
  value(ask(*app.self, server, list_all{}));
  for (auto i = 0; i < 2; ++i)
    value(call(app, server, "odd", {{"n", "b"}}));
  REQUIRE(ask(*app.self, server, close_connection{}));
  std::vector<std::string> remarks;
  log->receive([&](const server_output& output) { remarks = output.remarks; });
  CHECK(remarks
        == std::vector<std::string>{"the outputSchema of the tool odd is not "
                                    "checked: its keyword pattern is not "
                                    "supported"});
}
