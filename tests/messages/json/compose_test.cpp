#include "caf_mcp/messages/json/compose.hpp"

#include "caf_mcp/messages/error_payload.hpp"

#include <catch2/catch_test_macros.hpp>

#include <string>
#include <vector>

using namespace caf_mcp;

namespace {

constexpr std::string_view exact
  = R"({"n":123456789012345678901234567890,)"
    R"("f":0.1000000000000000055511151231257827})";

} // namespace

TEST_CASE("an array is composed of parts of many documents") {
  const auto plain = parse_payload(R"({"a":[1,"x"]})");
  const auto numbers = parse_payload(exact);
  CHECK(compose_array({}).to_json() == "[]");
  const std::vector<payload> without{plain.member("a"), plain};
  CHECK(compose_array(without).to_json() == R"([[1,"x"],{"a":[1,"x"]}])");
  const std::vector<payload> with{plain.member("a"), numbers.member("n"),
                                  numbers};
  CHECK(compose_array(with).to_json()
        == R"([[1,"x"],123456789012345678901234567890,)" + std::string{exact}
             + ']');
}

TEST_CASE("a member is replaced in its place, added at the end, or left out") {
  for (const auto value : {std::string_view{"2"}, exact}) {
    const auto object
      = parse_payload(R"({"a":1,"b":)" + std::string{value} + R"(,"c":3})");
    CHECK(with_member(object, "a", to_payload("\n")).to_json()
          == R"({"a":"\n","b":)" + std::string{value} + R"(,"c":3})");
    CHECK(with_member(object, "d", parse_payload("null")).to_json()
          == R"({"a":1,"b":)" + std::string{value} + R"(,"c":3,"d":null})");
    CHECK(with_member(object, "a", {}).to_json()
          == R"({"b":)" + std::string{value} + R"(,"c":3})");
  }
  CHECK(with_member({}, "a", parse_payload(exact)).to_json()
        == R"({"a":)" + std::string{exact} + '}');
  CHECK(with_member({}, "a", {}).to_json() == "{}");
}

TEST_CASE("members come in their order, and none of what is no object") {
  std::string keys;
  for (const auto& each : members_of(parse_payload(R"({"b":1,"":2,"a":3})")))
    keys += each.key + each.value.to_json() + ' ';
  CHECK(keys == "b1 2 a3 ");
  CHECK(members_of({}).empty());
  CHECK(members_of(parse_payload("[1]")).empty());
}

TEST_CASE("an error as a document is what to_json says, with exact numbers") {
  const auto data = parse_payload(exact);
  const rpc_error error{-5, "m", data};
  CHECK(to_payload(error).to_json()
        == R"({"code":-5,"message":"m","data":)" + std::string{exact} + '}');
  CHECK(to_payload(rpc_error{-5, "m", {}}).to_json()
        == R"({"code":-5,"message":"m"})");
  const auto info = describe(peer_error(error));
  CHECK(to_payload(info).member("data").to_json() == exact);
  CHECK(to_payload(info) == payload{boost::json::value(to_json(info))});
  close_reason reason;
  reason.cause = close_cause::handshake_failed;
  reason.detail = "d";
  reason.server_error = data;
  CHECK(to_payload(reason).member("server_error").to_json() == exact);
  CHECK(to_payload(reason) == payload{boost::json::value(to_json(reason))});
}
