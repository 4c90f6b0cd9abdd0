#include "caf_mcp/messages/wire/plain_response.hpp"

#include <catch2/catch_test_macros.hpp>

#include <string>

namespace caf_mcp {

TEST_CASE("a plain response is split into its id and its result",
          "[plain_response]") {
  for (const auto* line : {R"({"jsonrpc":"2.0","id":17,"result":{"a":[1]}})",
                           R"({"result":{"a":[1]},"jsonrpc":"2.0","id":17})"}) {
    INFO(line);
    const auto parts = split_plain_response(line);
    REQUIRE(parts);
    CHECK(parts->id == 17);
    CHECK(parts->result == R"({"a":[1]})");
  }
}

TEST_CASE("an id of a plain response is any integer that is not negative",
          "[plain_response]") {
  for (const std::string id : {"0", "10", "9223372036854775807"}) {
    INFO(id);
    const auto last = split_plain_response(R"({"jsonrpc":"2.0","id":)" + id
                                           + R"(,"result":1})");
    const auto first
      = split_plain_response(R"({"result":1,"jsonrpc":"2.0","id":)" + id + '}');
    REQUIRE(last);
    REQUIRE(first);
    CHECK(std::to_string(last->id) == id);
    CHECK(std::to_string(first->id) == id);
  }
}

TEST_CASE("a line with any other id is no plain response", "[plain_response]") {
  for (const std::string id :
       {"", "-1", "+1", "01", "00", "1.0", "1e0", " 1", "1 ", "\"1\"", "null",
        "[1]", "9223372036854775808", "99999999999999999999999"}) {
    INFO(id);
    CHECK_FALSE(split_plain_response(R"({"jsonrpc":"2.0","id":)" + id
                                     + R"(,"result":{}})"));
    CHECK_FALSE(
      split_plain_response(R"({"result":{},"jsonrpc":"2.0","id":)" + id + '}'));
  }
}

TEST_CASE("a line with other members or white space is no plain response",
          "[plain_response]") {
  for (const auto* line : {
         "",
         "{",
         "}",
         R"({"result":)",
         R"({"result":})",
         R"({"jsonrpc":"2.0","id":)",
         R"({"jsonrpc":"2.0","id":1)",
         R"({"jsonrpc":"2.0","id":1,"result":)",
         R"({"jsonrpc":"2.0","id":1,"result":{}} )",
         R"( {"jsonrpc":"2.0","id":1,"result":{}})",
         R"({"jsonrpc": "2.0","id":1,"result":{}})",
         R"({"jsonrpc":"2.0","id":1, "result":{}})",
         R"({"jsonrpc":"2.0","id":1,"error":{"code":1}})",
         R"({"jsonrpc":"2.0","id":1,"method":"ping"})",
         R"({"id":1,"jsonrpc":"2.0","result":{}})",
         R"({"id":1,"result":{}})",
         R"({"result":{},"id":1,"jsonrpc":"2.0"})",
         R"({"result":{},"id":1})",
       }) {
    INFO(line);
    CHECK_FALSE(split_plain_response(line));
  }
}

TEST_CASE("what stands where the result belongs is not looked at",
          "[plain_response]") {
  const auto parts = split_plain_response(
    R"({"jsonrpc":"2.0","id":1,"result":1,"error":{"code":2}})");
  REQUIRE(parts);
  CHECK(parts->result == R"(1,"error":{"code":2})");
}

} // namespace caf_mcp
