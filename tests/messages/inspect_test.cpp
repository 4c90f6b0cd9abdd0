#include "caf_mcp/messages/error_info.hpp"
#include "caf_mcp/messages/json/json_document.hpp"
#include "caf_mcp/messages/port.hpp"
#include "caf_mcp/messages/requests.hpp"
#include "caf_mcp/messages/secret.hpp"
#include "caf_mcp/messages/server_options.hpp"
#include "caf_mcp/messages/server_request.hpp"
#include "caf_mcp/messages/session_info.hpp"
#include "caf_mcp/messages/subscriptions.hpp"

#include "tests/support/caf_bytes.hpp"
#include "tests/support/json_generator.hpp"

#include <caf/deep_to_string.hpp>
#include <caf/message.hpp>
#include <catch2/catch_test_macros.hpp>

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

namespace caf_mcp {

namespace {

using namespace std::chrono_literals;

/// Checks that another node gets `x` as it is. Types without an operator== are
/// compared by their bytes: a second crossing must not change them.
template <class T>
void check_crossing(const T& x) {
  auto bytes = tests::to_bytes(x);
  REQUIRE(bytes);
  auto there = tests::from_bytes<T>(*bytes);
  REQUIRE(there);
  CHECK(tests::to_bytes(*there) == bytes);
  CHECK(caf::deep_to_string(*there) == caf::deep_to_string(x));
}

/// Checks that no cut of the bytes of `x` is taken for a whole, or crashes.
template <class T>
void check_cuts(const T& x) {
  auto bytes = tests::to_bytes(x);
  REQUIRE(bytes);
  for (std::size_t size = 0; size < bytes->size(); ++size) {
    caf::byte_buffer cut{bytes->begin(),
                         bytes->begin() + static_cast<std::ptrdiff_t>(size)};
    CHECK_FALSE(tests::from_bytes<T>(cut));
  }
}

/// Checks that another node gets all of an enumeration, but no value beyond.
template <class Enum>
void check_enum() {
  for (auto number = 0; number < 256; ++number) {
    auto value = static_cast<Enum>(number);
    auto there = tests::across_nodes(value);
    CHECK(there.has_value() == !to_string(value).empty());
    if (there)
      CHECK(*there == value);
  }
}

payload json(std::string_view text) {
  auto result = parse_payload(text);
  REQUIRE(result);
  return result;
}

request_options some_options() {
  return {5s, 60s, true, true, input_policy::hand_over, 42};
}

close_reason some_reason() {
  return {close_cause::signal, 9, "killed", "oops\n\xFF\x80"};
}

} // namespace

TEST_CASE("a payload crosses nodes as equal JSON", "[inspect]") {
  for (auto text : {"null", "{}", "[]", "0", "\"\"", R"({"a":[1,{"b":null}]})",
                    R"([1.5,-1,18446744073709551615,"\u0000\u20ac"])"}) {
    auto there = tests::across_nodes(json(text));
    REQUIRE(there);
    CHECK(*there == json(text));
  }
}

TEST_CASE("an absent payload stays absent", "[inspect]") {
  auto there = tests::across_nodes(payload{});
  REQUIRE(there);
  CHECK_FALSE(*there);
}

TEST_CASE("a part of a document crosses nodes without the rest", "[inspect]") {
  auto part = json(R"({"secret":"x","a":[1]})").member("a");
  CHECK(tests::to_bytes(part) == tests::to_bytes(json("[1]")));
}

TEST_CASE("any payload crosses nodes", "[inspect]") {
  tests::json_generator generate{41};
  for (auto run = 0; run < 500; ++run) {
    payload here{generate.value(6)};
    auto there = tests::across_nodes(here);
    REQUIRE(there);
    REQUIRE(*there == here);
  }
}

TEST_CASE("numbers that no double holds cross nodes as they were written",
          "[inspect]") {
  auto received = json(R"([1e999,-1e999,0e9999,{"a":1e999}])");
  auto there = tests::across_nodes(received);
  REQUIRE(there);
  CHECK(there->to_json() == R"([1e999,-1e999,0.0,{"a":1e999}])");
  auto made = tests::across_nodes(payload{boost::json::value("caf\xE9")});
  REQUIRE(made);
  CHECK(made->to_json() == "\"caf\uFFFD\"");
}

TEST_CASE("a payload of the greatest depth crosses nodes", "[inspect]") {
  auto deep = json(std::string(json_depth_limit, '[')
                   + std::string(json_depth_limit, ']'));
  CHECK(tests::across_nodes(deep) == deep);
}

TEST_CASE("a text that is not JSON is refused as a payload", "[inspect]") {
  for (std::string text : {"x", "{", "1 2", "NaN", "\"\xFF\""}) {
    auto bytes = tests::to_bytes(text);
    REQUIRE(bytes);
    CHECK_FALSE(tests::from_bytes<payload>(*bytes));
  }
}

TEST_CASE("what callers and connections say crosses nodes", "[inspect]") {
  check_crossing(open_connection{});
  check_crossing(get_session{});
  check_crossing(watch_status{});
  check_crossing(request_options{});
  check_crossing(some_options());
  check_crossing(
    send_request{"tools/call", json(R"({"a":1})"), some_options()});
  check_crossing(send_request{"ping", {}, {}});
  check_crossing(server_request{"roots/list", {}});
  check_crossing(server_request{"elicitation/create", json(R"({"a":1})")});
  check_crossing(send_notification{"notifications/x", json("[1]")});
  check_crossing(cancel_request{7, "no longer wanted"});
  check_crossing(list_all{list_kind::resource_templates, 3, some_options()});
  check_crossing(close_connection{1500ms});
  check_crossing(progress{7, 0.25, 1.0, "a quarter"});
  check_crossing(progress{7, 1e300, std::nullopt, ""});
  check_crossing(status_changed{connection_state::waiting, some_reason(), 2s});
  check_crossing(status_changed{});
  check_crossing(session_info{});
  check_crossing(session_info{connection_state::ready, era::modern,
                              "2026-07-28", json(R"({"name":"x"})"), json("{}"),
                              "Use it.", 4711});
}

TEST_CASE("what is said of subscriptions crosses nodes", "[inspect]") {
  const listen_filter filter{true, false, true, {"demo://a"}, log_level::alert};
  check_crossing(listen_filter{});
  check_crossing(filter);
  check_crossing(
    listen_options{5, 7, overflow_policy::drop_newest, reconnect_choice::end});
  check_crossing(grant_events{1, 2});
  check_crossing(cancel_subscription{1});
  check_crossing(subscription_accepted{1, filter});
  check_crossing(subscription_event{
    1, {event_kind::resource_updated, "demo://a", json(R"({"uri":"x"})")}});
  check_crossing(events_dropped{1, 2});
  check_crossing(subscription_resumed{1, filter});
  check_crossing(subscription_closed{1, subscription_end::withdrawn, {}});
  check_crossing(
    subscription_closed{1, subscription_end::failed, config_error("a", "b")});
}

TEST_CASE("what is said about JSON-RPC crosses nodes", "[inspect]") {
  check_crossing(
    outgoing_request{-1, "m", json("{}"), json(R"({"v":1})"), true});
  check_crossing(outgoing_notification{"m", {}});
  check_crossing(outgoing_response{"\"a\"", json("{}")});
  check_crossing(outgoing_response{"1", rpc_error{-32603, "no", json("[1]")}});
  check_crossing(incoming_response{7, id_match::lenient, json("null"), {}});
  check_crossing(incoming_request{"2.0", "ping", {}});
  check_crossing(incoming_notification{"m", json("[]")});
  check_crossing(undecodable_message{7, errc::message_too_large, "too long"});
  check_crossing(undecodable_message{});
  check_crossing(rpc_error{-1, "x", {}});
}

TEST_CASE("what port owners say crosses nodes", "[inspect]") {
  check_crossing(port_write{{outgoing_request{1, "m", {}, {}, false}}});
  check_crossing(port_write{{outgoing_notification{"m", json("{}")},
                             outgoing_response{"1", payload{}}}});
  check_crossing(port_stop{});
  check_crossing(port_done{});
  check_crossing(deadline_passed{});
  check_crossing(port_opened{2, 4711});
  check_crossing(port_received{});
  check_crossing(
    port_received{2,
                  {incoming_response{1, id_match::exact, json("{}"), {}},
                   incoming_request{"\"x\"", "ping", {}},
                   incoming_notification{"m", json("[]")},
                   undecodable_message{3, errc::invalid_response, "bad"}}});
  check_crossing(
    port_closed{2, some_reason(), 7, {1, -1, 9223372036854775807}});
  check_crossing(server_output{
    {"", "caf\xE9", std::string(10'000, 'x')}, {"junk"}, {"odd"}, 3});
}

TEST_CASE("close reasons and errors cross nodes", "[inspect]") {
  check_crossing(close_reason{});
  check_crossing(some_reason());
  check_crossing(error_info{error_origin::peer, "rpc_error", -32000, "no",
                            json(R"({"a":1})")});
  check_crossing(to_error(some_reason()));
}

TEST_CASE("a variant keeps its alternative on another node", "[inspect]") {
  auto there
    = tests::across_nodes(outgoing_response{"1", rpc_error{5, "no", {}}});
  REQUIRE(there);
  REQUIRE(std::holds_alternative<rpc_error>(there->outcome));
  CHECK(std::get<rpc_error>(there->outcome).code == 5);
}

TEST_CASE("all values of the enumerations cross nodes, and no others",
          "[inspect]") {
  check_enum<errc>();
  check_enum<error_origin>();
  check_enum<era>();
  check_enum<connection_state>();
  check_enum<close_cause>();
  check_enum<list_kind>();
  check_enum<input_policy>();
  check_enum<id_match>();
  check_enum<log_level>();
  check_enum<overflow_policy>();
  check_enum<reconnect_choice>();
  check_enum<event_kind>();
  check_enum<subscription_end>();
}

TEST_CASE("server options cross nodes without their secrets", "[inspect]") {
  server_options here;
  here.command = "npx";
  here.args = {"-y", "server"};
  here.cd = "/tmp";
  here.max_message_bytes = 1;
  here.request_timeout = 7ms;
  here.client_info.more = json(R"({"title":"x"})");
  auto there = tests::across_nodes(here);
  REQUIRE(there);
  CHECK(*there == here);
  auto hidden = tests::across_nodes(secret{"password"});
  REQUIRE(hidden);
  CHECK(hidden->reveal().empty());
}

TEST_CASE("a message that was cut off is refused", "[inspect]") {
  check_cuts(send_request{"tools/call", json(R"({"a":1})"), some_options()});
  check_cuts(port_closed{2, some_reason(), 3, {1, 2}});
  check_cuts(
    port_received{2,
                  {incoming_response{1, id_match::exact, json("{}"), {}},
                   undecodable_message{3, errc::junk_output, "bad"}}});
  check_cuts(session_info{connection_state::ready,
                          era::legacy,
                          "2025-11-25",
                          json("{}"),
                          {},
                          "Use it.",
                          1});
}

TEST_CASE("messages are carried in CAF's own envelope", "[inspect]") {
  auto here = caf::make_message(
    send_request{"tools/call", json(R"({"a":[1]})"), some_options()},
    status_changed{connection_state::closed, some_reason(), 0s});
  auto there = tests::across_nodes(here);
  REQUIRE(there);
  REQUIRE(there->match_elements<send_request, status_changed>());
  CHECK(there->get_as<send_request>(0).params == json(R"({"a":[1]})"));
  CHECK(there->get_as<status_changed>(1).reason->number == 9);
}

TEST_CASE("messages are readable in logs", "[inspect]") {
  auto text
    = caf::deep_to_string(send_request{"tools/call", json(R"({"a":1})"), {}});
  CHECK(text.find("tools/call") != std::string::npos);
  CHECK(caf::deep_to_string(close_cause::signal).find("signal")
        != std::string::npos);
  CHECK(caf::deep_to_string(secret{"password"}).find("password")
        == std::string::npos);
}

} // namespace caf_mcp
