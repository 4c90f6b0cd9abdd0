#include "caf_mcp/actors/nodes.hpp"
#include "caf_mcp/messages/error_info.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace caf_mcp;

TEST_CASE("an address of a node is a host and a port", "[node_address]") {
  for (const auto* text : {"127.0.0.1:4711", "[::1]:0", "node.example:65535"}) {
    auto address = parse_node_address("node", text);
    REQUIRE(address);
    CHECK(to_string(*address) == text);
  }
}

TEST_CASE("what is no address is refused by the name of its key",
          "[node_address]") {
  for (const auto* text : {"", "localhost", ":1", "h:", "h:65536", "h:-1",
                           "h:1x", "::1:5", "[]:5"}) {
    INFO(text);
    auto address = parse_node_address("listen", text);
    REQUIRE_FALSE(address);
    auto info = describe(address.error());
    CHECK(info.name == "config_invalid");
    CHECK(info.message.starts_with("listen: "));
  }
}

TEST_CASE("only addresses of this machine count as loopback",
          "[node_address]") {
  CHECK(is_loopback({"127.0.0.1", 1}));
  CHECK(is_loopback({"127.1.2.3", 1}));
  CHECK(is_loopback({"::1", 1}));
  CHECK(is_loopback({"localhost", 1}));
  CHECK_FALSE(is_loopback({"0.0.0.0", 1}));
  CHECK_FALSE(is_loopback({"::", 1}));
  CHECK_FALSE(is_loopback({"127.0.0.1.example.org", 1}));
  CHECK_FALSE(is_loopback({"127.evil", 1}));
}
