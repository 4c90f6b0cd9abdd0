// What the modern era demands beside calls, input and tasks.
#include "tests/support/player.hpp"

#include <catch2/catch_test_macros.hpp>

#include <string>
#include <vector>

using namespace caf_mcp;
using tests::call_t;
using tests::failure;
using tests::host;
using tests::player;
using tests::value;

namespace {

/// Takes the next message to a log actor.
std::vector<std::string> next_remarks(caf::scoped_actor& self) {
  std::vector<std::string> result;
  self->receive([&](const server_output& output) { result = output.remarks; });
  return result;
}

} // namespace

TEST_CASE("requests of a modern server are counted and logged, not answered") {
  player script{"modern-forbidden-requests"};
  host app;
  caf::scoped_actor log{app.system()};
  handlers answers;
  answers.sampling = [](const server_request&) { return parse_payload("{}"); };
  auto server = app.connect(
    script.options(), caf::actor_cast<log_listener>(caf::actor{log}), answers);
  value(call_t(app, server));
  CHECK(script.checks_hold());
  // Powers of two of them, so that a flood costs little.
  for (const auto* count : {"1", "2", "4"})
    CHECK(next_remarks(log)
          == std::vector{"the server sent the request sampling/createMessage, "
                         "which a modern server must not do; "
                         + std::string{count} + " so far"});
  REQUIRE(ask(*app.self, server, close_connection{}));
}

TEST_CASE("a trace context of the caller arrives beside what is added") {
  player script{"modern-forbidden-requests"};
  host app;
  auto server = app.open(script.options());
  auto traced = call_tool("t");
  auto params = traced.params.value().as_object();
  params["_meta"] = boost::json::object{
    {"traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"},
    {"tracestate", "rojo=00f067aa0ba902b7"},
    {"baggage", "userId=alice"}};
  traced.params = payload{boost::json::value(params)};
  value(ask(*app.self, server, traced));
  payload received;
  for (const auto& event : script.log())
    if (event.at("ev").as_string() == "recv"
        && event.at("method") == "tools/call")
      received = parse_payload(event.at("line").as_string());
  auto meta = received.member("params").member("_meta");
  for (const auto& [key, text] : params["_meta"].as_object())
    CHECK(meta.member(key).value() == text);
  CHECK(meta.string_member("io.modelcontextprotocol/protocolVersion")
        == "2026-07-28");
}

TEST_CASE("a result of an unknown type is no valid response") {
  player script{"result-types"};
  host app;
  auto server = app.open(script.options());
  CHECK(failure(call_t(app, server)).name == "invalid_response");
  value(call_t(app, server)); // none means complete
  CHECK(failure(call_t(app, server)).name == "invalid_response");
  value(call_t(app, server));
}
