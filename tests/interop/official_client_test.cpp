// The demo server, which many tests rely on, as the official client sees it.
#include "tests/support/paths.hpp"
#include "tests/support/shell.hpp"

#include <boost/json/parse.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include <string>

TEST_CASE("the official client gets along with the demo server", "[npm]") {
  auto [era, version] = GENERATE(table<std::string, std::string>(
    {{"legacy", "2025-11-25"}, {"modern", "2026-07-28"}}));
  auto [out, status]
    = tests::run_shell('\'' + tests::node_directory() + "/node' '"
                       + tests::test_file("servers/official-client.mjs") + "' "
                       + era + " '" + tests::binary("demo-server") + '\'');
  CAPTURE(out);
  REQUIRE(status == 0);
  auto seen = boost::json::parse(out);
  CHECK(seen
        == boost::json::parse(R"({
          "tools": true, "echo": "hi", "add": {"sum": 42},
          "ask": {"action": "accept", "content": {"name": "Ada", "age": 7}},
          "sample": "yo", "roots": {"roots": [{"uri": "file:///a"}]},
          "read": 1, "prompt": 1, "complete": ["pirate", "plain"],
          "progress": 1, "error": -32602, "heard": ["tools", "demo://greeting"],
          "era": ")" + era + R"(", "version": ")"
                              + version + R"("})"));
}
