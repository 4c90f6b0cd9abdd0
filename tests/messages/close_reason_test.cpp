#include "caf_mcp/messages/close_reason.hpp"

#include "caf_mcp/messages/error_info.hpp"

#include "tests/support/caf_bytes.hpp"

#include <boost/json/serialize.hpp>
#include <catch2/catch_test_macros.hpp>

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace caf_mcp {

namespace {

std::vector<close_cause> all_causes() {
  std::vector<close_cause> result;
  for (auto cause = 0; cause <= static_cast<int>(close_cause::dependency_lost);
       ++cause)
    result.push_back(static_cast<close_cause>(cause));
  return result;
}

std::string json_of(const close_reason& reason) {
  return boost::json::serialize(to_json(reason));
}

} // namespace

TEST_CASE("every cause of a close has a name of its own", "[close_reason]") {
  std::set<std::string_view> names;
  for (auto cause : all_causes()) {
    CHECK_FALSE(to_string(cause).empty());
    CHECK(names.insert(to_string(cause)).second);
  }
  CHECK(names.size() == 17);
  CHECK(to_string(static_cast<close_cause>(names.size())).empty());
}

TEST_CASE("every cause of a close has a sentence of its own",
          "[close_reason]") {
  std::set<std::string> sentences;
  for (auto cause : all_causes()) {
    auto sentence = to_sentence({cause, 0, "", ""});
    CHECK_FALSE(sentence.empty());
    CHECK(sentences.insert(sentence).second);
  }
}

TEST_CASE("a sentence tells the number and the detail", "[close_reason]") {
  CHECK(to_sentence({close_cause::exit_status, 3, "", ""})
        == "the server exited with status 3");
  CHECK(to_sentence({close_cause::exit_status, 0, "", ""})
        == "the server exited with status 0");
  CHECK(to_sentence({close_cause::signal, 9, "", ""})
        == "the server was killed by signal 9");
  CHECK(to_sentence({close_cause::spawn_failed, 0, "no permission", "tail"})
        == "the server could not be started: no permission");
}

TEST_CASE("a close is rendered with the number under the name it deserves",
          "[close_reason]") {
  CHECK(json_of({close_cause::exit_status, 0, "", ""})
        == R"({"reason":"exit_status","status":0})");
  CHECK(json_of({close_cause::signal, 15, "", ""})
        == R"({"reason":"signal","signal":15})");
  CHECK(json_of({close_cause::junk_output, 10, "", ""})
        == R"({"reason":"junk_output","limit":10})");
  CHECK(json_of({close_cause::message_too_large, 8388608, "", ""})
        == R"({"reason":"message_too_large","limit":8388608})");
  CHECK(json_of({close_cause::write_queue_full, 16777216, "", ""})
        == R"({"reason":"write_queue_full","limit":16777216})");
  CHECK(json_of({close_cause::closed, 7, "", ""}) == R"({"reason":"closed"})");
}

TEST_CASE("what is known of a close is rendered", "[close_reason]") {
  CHECK(json_of({close_cause::signal, 11, "core dumped", "oops\n"})
        == R"({"reason":"signal","signal":11,"detail":"core dumped",)"
           R"("stderr_tail":"oops\n"})");
}

TEST_CASE("a close is rendered as valid UTF-8, whatever the server wrote",
          "[close_reason]") {
  // The last 8 KiB of a text may start within a character.
  CHECK(json_of({close_cause::closed, 0, "\xFF", "\x82\xACrror: caf\xE9"})
        == "{\"reason\":\"closed\",\"detail\":\"\uFFFD\","
           "\"stderr_tail\":\"\uFFFDrror: caf\uFFFD\"}");
}

TEST_CASE("the error of a close crosses nodes, whatever the server wrote",
          "[close_reason]") {
  auto error = to_error({close_cause::exit_status, 1, "\xC3", "\xA9\xFF"});
  auto there = tests::across_nodes(error);
  REQUIRE(there);
  CHECK(boost::json::serialize(to_json(describe(*there)))
        == boost::json::serialize(to_json(describe(error))));
}

TEST_CASE("a server that was lost gives connection_closed and the reason",
          "[close_reason]") {
  for (auto cause :
       {close_cause::closed, close_cause::owner_down,
        close_cause::runtime_shutdown, close_cause::exit_status,
        close_cause::signal, close_cause::server_closed_stdin,
        close_cause::server_closed_stdout, close_cause::message_too_large,
        close_cause::junk_output, close_cause::write_queue_full,
        close_cause::internal_error}) {
    auto error = to_error({cause, 1, "", ""});
    CHECK(error == errc::connection_closed);
    auto info = describe(error);
    CHECK(info.origin == error_origin::local);
    CHECK(info.code == -32000);
    CHECK(info.data.string_member("reason") == to_string(cause));
    CHECK(info.message == to_sentence({cause, 1, "", ""}));
  }
}

TEST_CASE("a server that never worked gives the error that says so",
          "[close_reason]") {
  for (auto cause : {close_cause::command_not_found, close_cause::spawn_failed,
                     close_cause::handshake_failed,
                     close_cause::unsupported_protocol_version}) {
    auto info = describe(to_error({cause, 0, "", ""}));
    CHECK(info.name == to_string(cause));
    CHECK(info.data.string_member("reason") == to_string(cause));
  }
}

} // namespace caf_mcp
