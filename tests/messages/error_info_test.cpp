#include "caf_mcp/messages/error_info.hpp"

#include "tests/support/caf_bytes.hpp"

#include <boost/json/serialize.hpp>
#include <caf/exit_reason.hpp>
#include <caf/sec.hpp>
#include <catch2/catch_test_macros.hpp>

#include <string>

namespace caf_mcp {

namespace {

std::string json_of(const caf::error& error) {
  return boost::json::serialize(to_json(describe(error)));
}

} // namespace

TEST_CASE("an error of this side is described by what it was made of",
          "[error_info]") {
  auto error = local_error(errc::request_timeout, "too slow",
                           parse_payload(R"({"ms":5})"));
  CHECK(error == errc::request_timeout);
  auto info = describe(error);
  CHECK(info.origin == error_origin::local);
  CHECK(info.name == "request_timeout");
  CHECK(info.code == -32001);
  CHECK(info.message == "too slow");
  CHECK(info.data.to_json() == R"({"ms":5})");
}

TEST_CASE("an error the server sent keeps its code, message and data",
          "[error_info]") {
  auto error
    = peer_error({-32001, "a code that is ours too", parse_payload("[1]")});
  CHECK(error == errc::rpc_error);
  auto info = describe(error);
  CHECK(info.origin == error_origin::peer);
  CHECK(info.name == "rpc_error");
  CHECK(info.code == -32001);
  CHECK(info.message == "a code that is ours too");
  CHECK(info.data.to_json() == "[1]");
}

TEST_CASE("no code of a server makes its error look like one of this side",
          "[error_info]") {
  for (auto code : {0, 1, -32000, -32001, -32602, -32700, 2147483647}) {
    auto error = peer_error({code, "request_timeout", {}});
    CHECK(error == errc::rpc_error);
    CHECK(describe(error).origin == error_origin::peer);
    CHECK(describe(error).code == code);
  }
}

TEST_CASE("an invalid option is named in the message and in the data",
          "[error_info]") {
  auto error = config_error("term_grace", "must not be negative");
  CHECK(error == errc::config_invalid);
  CHECK(json_of(error)
        == R"({"origin":"local","name":"config_invalid","code":-32602,)"
           R"("message":"term_grace: must not be negative",)"
           R"("data":{"key":"term_grace"}})");
}

TEST_CASE("a bare code is described by its name", "[error_info]") {
  CHECK(json_of(caf::error{errc::junk_output})
        == R"({"origin":"local","name":"junk_output","code":-32000,)"
           R"("message":"junk_output"})");
}

TEST_CASE("a time-out of CAF is described as one of ours", "[error_info]") {
  auto info = describe(caf::make_error(caf::sec::request_timeout));
  CHECK(info.origin == error_origin::local);
  CHECK(info.name == "request_timeout");
  CHECK(info.code == -32001);
}

TEST_CASE("all other errors of CAF mean that the connection is gone",
          "[error_info]") {
  for (const auto& error :
       {caf::make_error(caf::sec::request_receiver_down),
        caf::make_error(caf::sec::broken_promise),
        caf::make_error(caf::sec::runtime_error, "some context"),
        caf::make_error(caf::exit_reason::kill),
        caf::make_error(caf::exit_reason::user_shutdown)}) {
    auto info = describe(error);
    CHECK(info.origin == error_origin::local);
    CHECK(info.name == "connection_closed");
    CHECK(info.code == -32000);
    CHECK(info.data.to_json() == R"({"reason":"actor_down"})");
    CHECK(info.message.find(caf::to_string(error)) != std::string::npos);
  }
}

TEST_CASE("an error without data is rendered without it", "[error_info]") {
  CHECK(json_of(local_error(errc::not_found, "no such tool"))
        == R"({"origin":"local","name":"not_found","code":-32000,)"
           R"("message":"no such tool"})");
  CHECK(json_of(peer_error({5, "x", payload{boost::json::value(nullptr)}}))
        == R"({"origin":"peer","name":"rpc_error","code":5,)"
           R"("message":"x","data":null})");
}

TEST_CASE("an error stays the same on another node", "[error_info]") {
  for (const auto& error :
       {local_error(errc::cancelled, "stop", parse_payload(R"({"a":1})")),
        peer_error({-1, "no", {}}), caf::error{errc::junk_output}}) {
    auto there = tests::across_nodes(error);
    REQUIRE(there);
    CHECK(*there == error);
    CHECK(json_of(*there) == json_of(error));
  }
}

TEST_CASE("an error is valid UTF-8, whatever it speaks of", "[error_info]") {
  auto info = describe(local_error(errc::spawn_failed, "caf\xE9"));
  CHECK(info.message == "caf\uFFFD");
  auto there = tests::across_nodes(config_error("env.\xFF", "bad name"));
  REQUIRE(there);
  CHECK(describe(*there).data.to_json() == "{\"key\":\"env.\uFFFD\"}");
}

TEST_CASE("the sides of an error have names", "[error_info]") {
  CHECK(to_string(error_origin::local) == "local");
  CHECK(to_string(error_origin::peer) == "peer");
  CHECK(to_string(static_cast<error_origin>(2)).empty());
}

} // namespace caf_mcp
