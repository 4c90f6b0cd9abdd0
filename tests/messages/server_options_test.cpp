#include "caf_mcp/messages/server_options.hpp"

#include "caf_mcp/messages/json/json_document.hpp"
#include "caf_mcp/version.hpp"

#include "tests/support/caf_bytes.hpp"

#include <caf/deep_to_string.hpp>
#include <catch2/catch_test_macros.hpp>

using namespace caf_mcp;
using tests::across_nodes;

TEST_CASE("options cross nodes without their secrets", "[server_options]") {
  server_options sent;
  sent.command = "server";
  sent.args = {"--root", "/srv"};
  sent.env["LANG"] = "C";
  sent.env["KEY"] = secret{"hunter2"};
  sent.env["DEBUG"] = unset_variable{};
  sent.inherit_env.extra_names = {"SSH_AUTH_SOCK"};
  sent.cd = "/tmp";
  sent.stderr_to = {stderr_kind::file, "/tmp/log"};
  sent.kill_policy = stop_policy::close_stdin_only;
  sent.stdin_grace = std::chrono::milliseconds{7};
  sent.client_info.more = parse_payload(R"({"title": "Test"})");

  auto crossed = across_nodes(sent);
  REQUIRE(crossed);
  auto& received = *crossed;

  CHECK(received.env.at("KEY") == env_value{secret{}});
  received.env["KEY"] = secret{"hunter2"};
  CHECK(received == sent);
}

TEST_CASE("printed options hold no secret", "[server_options]") {
  server_options options;
  options.env["KEY"] = secret{"hunter2"};
  auto text = caf::deep_to_string(options);
  CHECK(text.find("KEY") != std::string::npos);
  CHECK(text.find("hunter2") == std::string::npos);
}

TEST_CASE("a client is called after this library unless it says otherwise",
          "[server_options]") {
  server_options options;
  CHECK(options.client_info.name == "caf-mcp");
  CHECK(options.client_info.version == version);
}

TEST_CASE("the default depth is the one JSON is parsed with elsewhere",
          "[server_options]") {
  CHECK(server_options{}.max_json_depth == default_json_depth);
}
