#include "caf_mcp/messages/config/nearest_name.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace caf_mcp;

namespace {

const std::vector<std::string_view> known{"cd", "env", "request_timeout",
                                          "max_message_bytes"};

} // namespace

TEST_CASE("a misspelt name is recognised", "[nearest_name]") {
  CHECK(nearest_name("max_mesage_bytes", known) == "max_message_bytes");
  CHECK(nearest_name("max_messages_byte", known) == "max_message_bytes");
}

TEST_CASE("case and separators do not matter", "[nearest_name]") {
  CHECK(nearest_name("maxMessageBytes", known) == "max_message_bytes");
  CHECK(nearest_name("REQUEST-TIMEOUT", known) == "request_timeout");
}

TEST_CASE("a part of a name is nearer than a short other one",
          "[nearest_name]") {
  CHECK(nearest_name("timeout", known) == "request_timeout");
}

TEST_CASE("some name is always nearest, unless there is none",
          "[nearest_name]") {
  CHECK(nearest_name("xyz", known) != "");
  CHECK(nearest_name("", known) == "cd");
  CHECK(nearest_name("xyz", {}) == "");
}
