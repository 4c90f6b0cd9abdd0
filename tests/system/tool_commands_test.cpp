#include "tests/support/paths.hpp"
#include "tests/support/tool.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

using Catch::Matchers::ContainsSubstring;
using tests::binary;
using tests::only_json;
using tests::run_tool;
using tests::tool_result;

namespace {

/// Runs a command against the demo server.
tool_result demo(std::vector<std::string> words,
                 std::vector<std::string> server_args = {}) {
  words.insert(words.end(), {"--", binary("demo-server")});
  words.insert(words.end(), server_args.begin(), server_args.end());
  return run_tool(std::move(words));
}

std::string only_text(const boost::json::object& result) {
  return std::string{result.at("content").at(0).at("text").as_string()};
}

} // namespace

TEST_CASE("info names era, version, server and capabilities", "[tool]") {
  auto era = GENERATE(as<std::string>{}, "legacy", "modern");
  auto result = demo({"info", "--json"}, {"--era", era});
  REQUIRE(result.status == 0);
  CHECK(result.err.empty());
  auto info = only_json(result.out);
  CHECK(info.at("era").as_string() == std::string_view{era});
  CHECK(info.at("protocolVersion")
        == (era == "legacy" ? "2025-11-25" : "2026-07-28"));
  CHECK(info.at("serverInfo").at("name") == "caf-mcp-demo-server");
  CHECK(info.at("capabilities").as_object().contains("tools"));
  CHECK(info.contains("instructions"));
  CHECK(info.at("pid").as_int64() > 1);
  CHECK(info.size() == 6);
}

TEST_CASE("info for people says the same", "[tool]") {
  auto result = demo({"info"});
  REQUIRE(result.status == 0);
  CHECK_THAT(result.out, ContainsSubstring("caf-mcp-demo-server"));
  CHECK_THAT(result.out, ContainsSubstring("era           modern\n"));
  CHECK_THAT(result.out, ContainsSubstring("protocol      2026-07-28\n"));
  CHECK_THAT(result.out, ContainsSubstring("tools"));
}

TEST_CASE("ping measures a round trip in both eras", "[tool]") {
  auto era = GENERATE(as<std::string>{}, "legacy", "modern");
  auto result = demo({"ping", "--json", "--mode", era});
  REQUIRE(result.status == 0);
  CHECK(only_json(result.out).at("roundTripMs").to_number<double>() > 0);
  auto text = demo({"ping", "--mode", era});
  CHECK_THAT(text.out, ContainsSubstring(" ms\n"));
}

TEST_CASE("the lists hold the items of all pages", "[tool]") {
  auto result
    = demo({"tools", "--json"}, {"--tools", "25", "--page-size", "4"});
  REQUIRE(result.status == 0);
  auto tools = only_json(result.out).at("tools").as_array();
  REQUIRE(tools.size() == 15 + 25);
  CHECK(tools.front().at("name") == "echo");
  CHECK(tools.back().at("name") == "filler_25");
}

TEST_CASE("each list is an object with the key of the protocol", "[tool]") {
  CHECK(
    only_json(demo({"resources", "--json"}).out).at("resources").is_array());
  CHECK(only_json(demo({"templates", "--json"}).out)
          .at("resourceTemplates")
          .is_array());
  CHECK(only_json(demo({"prompts", "--json"}).out).at("prompts").is_array());
}

TEST_CASE("tools are listed with their arguments", "[tool]") {
  auto result = demo({"tools"});
  REQUIRE(result.status == 0);
  CHECK_THAT(result.out,
             ContainsSubstring("echo - Echo\n"
                               "    Returns the message.\n"
                               "      message  string  required  What to "
                               "return\n"));
  CHECK_THAT(result.out, ContainsSubstring("ms     integer  default 1000"));
  CHECK_THAT(result.out, ContainsSubstring("tools|prompts|resources"));
}

TEST_CASE("resources, templates and prompts are listed for people", "[tool]") {
  CHECK(demo({"resources"}).out
        == "demo://greeting - Greeting\n"
           "    A friendly text\n"
           "    text/plain\n"
           "\n"
           "demo://logo - Logo\n"
           "    A very small image\n"
           "    image/png\n");
  CHECK(demo({"templates"}).out
        == "demo://item/{id} - Item\n"
           "    An item by its id\n"
           "    application/json\n");
  CHECK(demo({"prompts"}).out
        == "greet - Greet\n"
           "    Greets somebody\n"
           "      name   required  Who\n"
           "      style  optional  How: plain, formal or pirate\n"
           "\n"
           "summary - Summary\n"
           "    Summarizes the resources\n");
}

TEST_CASE("call prints the text of the result and nothing else", "[tool]") {
  auto mode = GENERATE(as<std::string>{}, "legacy", "modern", "auto");
  auto result = demo({"call", "echo", "message=hi", "--mode", mode});
  CHECK(result.status == 0);
  CHECK(result.out == "hi\n");
  CHECK(result.err.empty());
}

TEST_CASE("call with --json prints the result object", "[tool]") {
  auto result = demo({"call", "add", "a:=2", "b:=40.5", "--json"});
  REQUIRE(result.status == 0);
  auto answer = only_json(result.out);
  CHECK(answer.at("structuredContent").at("sum").to_number<double>() == 42.5);
  CHECK_THAT(result.out, ContainsSubstring("42.5"));
}

TEST_CASE("arguments are JSON objects, strings or typed values", "[tool]") {
  auto echo = [](std::vector<std::string> words) {
    words.insert(words.begin(), {"call", "echo", "--json"});
    auto result = demo(std::move(words));
    REQUIRE(result.status == 0);
    return only_text(only_json(result.out));
  };
  CHECK(echo({"message=5"}) == "5");
  CHECK(echo({"message=a=b:=c"}) == "a=b:=c");
  CHECK(echo({"message="}).empty());
  CHECK(echo({R"(message:="5")"}) == "5");
  CHECK(echo({R"({"message": "from JSON"})"}) == "from JSON");
  CHECK(echo({R"({"message": "first"})", "message=last"}) == "last");
  CHECK(echo({"message=-1 --json \xC3\xA4"}) == "-1 --json \xC3\xA4");
}

TEST_CASE("the name of a command is fine as an argument", "[tool]") {
  auto result = demo({"call", "tools"});
  CHECK(result.status == 4);
  CHECK_THAT(result.err, ContainsSubstring("Unknown tool: tools"));
}

TEST_CASE("a tool that fails prints its text and exits 1", "[tool]") {
  auto result = demo({"call", "fail", "message=out of paper"});
  CHECK(result.status == 1);
  CHECK(result.out == "out of paper\n");
  auto json = demo({"call", "fail", "--json"});
  CHECK(json.status == 1);
  CHECK(only_json(json.out).at("isError") == true);
}

TEST_CASE("a large result arrives whole", "[tool]") {
  auto result = demo({"call", "big", "bytes:=3000000"});
  CHECK(result.status == 0);
  CHECK(result.out == std::string(3'000'000, 'x') + '\n');
}

TEST_CASE("read prints texts and describes blobs", "[tool]") {
  CHECK(demo({"read", "demo://greeting"}).out == "Hello from the demo.\n");
  CHECK(demo({"read", "demo://logo"}).out
        == "[blob: demo://logo, image/png, 70 bytes]\n");
  auto json = demo({"read", "demo://logo", "--json"});
  CHECK(only_json(json.out).at("contents").at(0).at("mimeType") == "image/png");
}

TEST_CASE("prompt prints its messages", "[tool]") {
  auto result = demo({"prompt", "greet", "name=Ada", "style=pirate"});
  CHECK(result.status == 0);
  CHECK(result.out == "[user]\nGreet Ada in this style: pirate\n");
}

TEST_CASE("complete prints the values", "[tool]") {
  CHECK(demo({"complete", "prompt", "greet", "style=p"}).out
        == "pirate\nplain\n");
  auto json = demo(
    {"complete", "template", "demo://item/{id}", "id=24", "other=x", "--json"});
  REQUIRE(json.status == 0);
  auto values = only_json(json.out).at("completion").at("values").as_array();
  CHECK(values.size() == 11);
}

TEST_CASE("request sends any method and prints the result", "[tool]") {
  auto json = demo({"request", "tools/call", "name=echo",
                    R"(arguments:={"message": "raw"})", "--json"});
  REQUIRE(json.status == 0);
  CHECK(only_text(only_json(json.out)) == "raw");
  auto text = demo({"request", "resources/list"});
  CHECK_THAT(text.out, ContainsSubstring("  \"resources\": [\n"));
}

TEST_CASE("notify prints nothing, or an empty document", "[tool]") {
  auto text = demo({"notify", "notifications/x"});
  CHECK(text.status == 0);
  CHECK(text.out.empty());
  auto json = demo({"notify", "notifications/x", "key=value", "--json"});
  CHECK(json.status == 0);
  CHECK(json.out == "{}\n");
}

TEST_CASE("a list that the server does not offer is empty", "[tool]") {
  auto result
    = run_tool({"prompts", "--json", "--", binary("test-junk-lines"), "0"});
  CHECK(result.status == 0);
  CHECK(result.out == "{\"prompts\":[]}\n");
}
