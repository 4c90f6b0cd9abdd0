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

TEST_CASE(
  "values that were copied out of a document may be moved into a call") {
  const auto source = parse_payload(
    R"({"text":")" + std::string(100, 'x')
    + R"(","list":[1,"two",{"three":3}],"object":{"a":{"b":[]}},"none":null})");
  auto text = source.value().at("text");
  auto list = source.value().at("list");
  auto object = source.value().at("object");
  auto emptied = source.value().at("list");
  emptied.as_array().clear(); // but not its memory
  auto request = call_tool("echo", {{"text", std::move(text)},
                                    {"list", std::move(list)},
                                    {"object", std::move(object)},
                                    {"nested", {1, {{"deep", 2}}}},
                                    {"emptied", std::move(emptied)}});
  const auto& arguments = request.params.value().at("arguments");
  CHECK(arguments.at("text") == source.value().at("text"));
  CHECK(arguments.at("list") == source.value().at("list"));
  CHECK(arguments.at("object") == source.value().at("object"));
  CHECK(arguments.at("emptied") == boost::json::array{});
  auto again = arguments.at("object");
  auto from_call = get_prompt("p", {{"object", std::move(again)}});
  CHECK(from_call.params.value().at("arguments").at("object")
        == source.value().at("object"));
}

TEST_CASE("arguments may be missing") {
  for (const auto& request : {call_tool("t"), call_tool("t", {}),
                              call_tool("t", boost::json::object{}),
                              get_prompt("t"), get_prompt("t", {})})
    CHECK(request.params.value()
          == boost::json::parse(R"({"name":"t","arguments":{}})"));
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
