#include "caf_mcp/messages/close_reason.hpp"
#include "caf_mcp/messages/hub.hpp"

#include "tests/support/caf_bytes.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace caf_mcp;

namespace {

server_status some_status() {
  server_status result;
  result.name = "files";
  result.state = server_state::ready;
  result.era = era::modern;
  result.protocol_version = "2026-07-28";
  result.pid = 42;
  result.restarts = 1;
  result.requests = 7;
  result.in_flight = 2;
  result.last_error
    = to_error(close_reason{close_cause::exit_status, 3, "", "oops"});
  return result;
}

} // namespace

TEST_CASE("the status of a server crosses nodes as it is", "[hub_messages]") {
  auto there = tests::across_nodes(some_status());
  REQUIRE(there);
  CHECK(to_json(*there) == to_json(some_status()));
}

TEST_CASE("the status of a server is rendered with null for what is not known",
          "[hub_messages]") {
  server_status unknown;
  unknown.name = "files";
  auto json = to_json(unknown);
  CHECK(json.at("state") == "idle");
  CHECK(json.at("era").is_null());
  CHECK(json.at("pid").is_null());
  CHECK(json.at("error").is_null());
  json = to_json(some_status());
  CHECK(json.at("pid") == 42);
  CHECK(json.at("error").at("data").at("status") == 3);
}

TEST_CASE("secrets of a server that is put or replaced do not cross nodes",
          "[hub_messages]") {
  put_server message;
  message.name = "files";
  message.options.env["API_KEY"] = secret{"hunter2"};
  auto there = tests::across_nodes(message);
  REQUIRE(there);
  auto value = there->options.env.at("API_KEY");
  CHECK(value.kind() == env_kind::secret);
  CHECK(*value.reveal() == "");
}
