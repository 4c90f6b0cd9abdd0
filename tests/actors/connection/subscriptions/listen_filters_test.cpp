#include "caf_mcp/actors/connection/subscriptions/listen_filters.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace caf_mcp;

namespace {

const listen_filter everything{
  true, true, true, {"demo://a", "demo://b"}, log_level::info};

server_event updated(std::string uri) {
  return {event_kind::resource_updated, std::move(uri), {}};
}

server_event logged(std::string_view level) {
  return {
    event_kind::log_message, {}, payload{boost::json::value{{"level", level}}}};
}

} // namespace

TEST_CASE("a filter keeps what the server declares") {
  CHECK(supported_part(everything, payload{}) == everything);
  CHECK(is_empty(supported_part(everything, parse_payload("{}"))));
  CHECK(is_empty(supported_part(
    everything, parse_payload(R"({"tools": {}, "resources": {}})"))));
  CHECK(
    supported_part(everything, parse_payload(R"({"tools": {"listChanged": true},
                                         "resources": {"subscribe": true},
                                         "logging": {}})"))
    == listen_filter{true, false, false, everything.uris, log_level::info});
  listen_filter prompts;
  prompts.prompts = true;
  CHECK(
    supported_part(prompts, parse_payload(R"({"prompts": {"listChanged": true},
                                     "tools": {"listChanged": true}})"))
    == prompts);
}

TEST_CASE("a filter is written as the members it asks for") {
  CHECK(listen_params(everything).to_json()
        == R"({"notifications":{"toolsListChanged":true,)"
           R"("promptsListChanged":true,"resourcesListChanged":true,)"
           R"("resourceSubscriptions":["demo://a","demo://b"]}})");
  CHECK(listen_params({}).to_json() == R"({"notifications":{}})");
}

TEST_CASE("an acknowledgement grants no more than was asked for") {
  listen_filter asked{true, false, true, {"demo://a", "demo://b"}, {}};
  auto granted = acknowledged_part(asked, parse_payload(R"({"notifications": {
    "toolsListChanged": true, "promptsListChanged": true,
    "resourcesListChanged": false,
    "resourceSubscriptions": ["demo://b", "demo://c", 5]}})"));
  CHECK(granted == listen_filter{true, false, false, {"demo://b"}, {}});
  CHECK(is_empty(acknowledged_part(asked, parse_payload("{}"))));
}

TEST_CASE("notifications are read as events") {
  auto kind = [](std::string method, std::string_view params = "{}") {
    auto event = read_event({std::move(method), parse_payload(params)});
    return event ? std::string{to_string(event->kind)} + event->uri : "none";
  };
  CHECK(kind("notifications/tools/list_changed") == "tools_changed");
  CHECK(kind("notifications/prompts/list_changed") == "prompts_changed");
  CHECK(kind("notifications/resources/list_changed") == "resources_changed");
  CHECK(kind("notifications/resources/updated", R"({"uri": "a:b"})")
        == "resource_updateda:b");
  CHECK(kind("notifications/resources/updated") == "none");
  CHECK(kind("notifications/message") == "log_message");
  CHECK(kind("notifications/progress") == "none");
}

TEST_CASE("a resource below a URI belongs to it") {
  CHECK(wants_event(everything, updated("demo://a")));
  CHECK(wants_event(everything, updated("demo://a/b")));
  CHECK(wants_event(everything, updated("demo://a#part")));
  CHECK_FALSE(wants_event(everything, updated("demo://ab")));
  CHECK_FALSE(wants_event(everything, updated("demo://")));
  CHECK_FALSE(wants_event({}, updated("demo://a")));
}

TEST_CASE("log messages are wanted from their level on") {
  CHECK(wants_event(everything, logged("info")));
  CHECK(wants_event(everything, logged("emergency")));
  CHECK_FALSE(wants_event(everything, logged("debug")));
  CHECK(wants_event(everything, logged("warn"))); // none of MCP's
  CHECK_FALSE(wants_event({}, logged("error")));
}

TEST_CASE("what a notification lacks is named") {
  auto missing = [](std::string method, std::string_view params,
                    era spoken = era::legacy) {
    return missing_member(
      {"notifications/" + std::move(method), parse_payload(params)}, spoken);
  };
  for (const auto* params : {"", "{}", R"({"uri":7})", R"({"uri":""})"})
    CHECK(missing("resources/updated", params) == "uri");
  CHECK(missing("resources/updated", R"({"uri":"a"})").empty());
  for (const auto* params : {"", "{}", R"({"requestId":null})"})
    CHECK(missing("cancelled", params) == "requestId");
  CHECK(missing("cancelled", R"({"requestId":7})").empty());
  CHECK(missing("cancelled", R"({"requestId":"a"})").empty());
  CHECK(missing("message", R"({"data":1})") == "level");
  CHECK(missing("message", R"({"level":7,"data":1})") == "level");
  CHECK(missing("message", R"({"level":"info"})") == "data");
  CHECK(missing("message", R"({"level":"info","data":null})").empty());
  CHECK(missing("tools/list_changed", "").empty());
}

TEST_CASE("a modern report that names no subscription lacks its id") {
  const auto* named
    = R"({"uri":"a","_meta":{"io.modelcontextprotocol/subscriptionId":1}})";
  for (const auto* method : {"subscriptions/acknowledged", "tools/list_changed",
                             "prompts/list_changed", "resources/list_changed",
                             "resources/updated"}) {
    INFO(method);
    auto missing = [method](std::string_view params) {
      return missing_member(
        {std::string{"notifications/"} + method, parse_payload(params)},
        era::modern);
    };
    CHECK(missing(R"({"uri":"a"})")
          == "io.modelcontextprotocol/subscriptionId");
    CHECK(missing(named).empty());
  }
}
