// What the benchmarks need of the demo server.
#include "tests/support/host.hpp"

#include <catch2/catch_test_macros.hpp>

#include <string>

using namespace caf_mcp;
using tests::host;
using tests::value;

TEST_CASE("the demo server takes any number of large requests") {
  host app;
  auto server = app.open(host::program("demo-server"));
  const auto request = call_tool(
    "length", {{"text", std::string(std::size_t{1024} * 1024, 'x')}});
  for (auto i = 0; i < 50; ++i) {
    auto result = value(ask(*app.self, server, request));
    REQUIRE(result.value().at("content").at(0).at("text") == "1048576");
  }
}

TEST_CASE("a request that the demo server holds waits until it is cancelled") {
  host app;
  auto server = app.open(host::program("demo-server"));
  auto pending = ask(app.self->ptr(), server, call_tool("hold"));
  value(ask(*app.self, server, call_tool("echo", {{"message", "hello"}})));
  CHECK(value(ask(*app.self, server, get_session{})).in_flight == 1);
  REQUIRE(ask(*app.self, server, cancel_request{}));
  std::string name;
  std::move(pending).receive(
    [](payload&) {}, [&](caf::error& error) { name = describe(error).name; });
  CHECK(name == "cancelled");
}
