#include "caf_mcp/messages/methods.hpp"

#include <boost/json/parse.hpp>
#include <catch2/catch_test_macros.hpp>

#include <string>

using namespace caf_mcp;

TEST_CASE("a call names its tool and hands over the arguments") {
  auto request = call_tool("add", {{"a", 2}, {"b", {1, 2, 3}}});
  CHECK(request.method == "tools/call");
  CHECK(
    request.params.value()
    == boost::json::parse(R"({"name":"add","arguments":{"a":2,"b":[1,2,3]}})"));
}

TEST_CASE("arguments of any size arrive whole") {
  for (auto size : {0U, 1U, 400U, 500U, 600U, 1000U, 100'000U}) {
    const boost::json::string text(size, 'x');
    auto request = call_tool("echo", {{"message", text}});
    const auto& arguments = request.params.value().at("arguments");
    CHECK(arguments.at("message").as_string() == text);
    auto prompt = get_prompt("p", {{"message", text}});
    CHECK(prompt.params.value().at("arguments") == arguments);
  }
}

TEST_CASE("the other methods say what they ask for") {
  CHECK(read_resource("demo://x").params.value()
        == boost::json::parse(R"({"uri":"demo://x"})"));
  CHECK(complete({"ref/prompt", "greet"}, "name", "A").params.value()
        == boost::json::parse(R"({"ref":{"type":"ref/prompt","name":"greet"},)"
                              R"("argument":{"name":"name","value":"A"}})"));
  CHECK(
    complete({"ref/resource", "demo://{id}"}, "id", "1")
      .params.value()
      .at("ref")
    == boost::json::parse(R"({"type":"ref/resource","uri":"demo://{id}"})"));
}
