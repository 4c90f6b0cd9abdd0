#include "caf_mcp/actors/handlers.hpp"

#include <boost/json/serialize.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

using namespace caf_mcp;

namespace {

const handler_function answer
  = [](const server_request&) { return parse_payload("{}"); };

std::string declared(const handlers& from, era spoken) {
  return boost::json::serialize(capabilities_of(from, spoken));
}

/// Returns which handler is found, or the code of the error.
std::int64_t refusal(const handlers& from, std::string method,
                     std::string_view params = "{}") {
  auto found = find_handler(from, {std::move(method), parse_payload(params)});
  auto* error = std::get_if<rpc_error>(&found);
  return error == nullptr ? 0 : error->code;
}

} // namespace

TEST_CASE("without handlers nothing is declared in the legacy era") {
  CHECK(declared({}, era::legacy) == "{}");
  handlers rest;
  rest.others = answer;
  CHECK(declared(rest, era::legacy) == "{}");
}

TEST_CASE("an empty function or handle is no handler") {
  handlers empty;
  empty.sampling = handler_function{};
  empty.elicit_form = blocking_handler_function{};
  empty.roots = request_handler{};
  CHECK(declared(empty, era::legacy) == "{}");
}

TEST_CASE("each handler declares its capability") {
  handlers some;
  some.sampling = answer;
  CHECK(declared(some, era::legacy) == R"({"sampling":{}})");
  some.sampling_features["tools"] = boost::json::object{};
  CHECK(declared(some, era::legacy) == R"({"sampling":{"tools":{}}})");
  handlers forms;
  forms.elicit_form = answer;
  CHECK(declared(forms, era::legacy) == R"({"elicitation":{"form":{}}})");
  handlers urls;
  urls.elicit_url = answer;
  CHECK(declared(urls, era::legacy) == R"({"elicitation":{"url":{}}})");
}

TEST_CASE("changes of roots are told in the legacy era only") {
  handlers roots;
  roots.roots = answer;
  CHECK(declared(roots, era::legacy) == R"({"roots":{"listChanged":true}})");
  CHECK(capabilities_of(roots, era::modern).at("roots")
        == boost::json::object{});
}

TEST_CASE("a request goes to its own handler, or to the one for the rest") {
  handlers some;
  some.sampling = answer;
  some.others = answer;
  auto own = find_handler(some, {"sampling/createMessage", {}});
  CHECK(std::get<const handler*>(own) == &some.sampling);
  auto other = find_handler(some, {"x/y", {}});
  CHECK(std::get<const handler*>(other) == &some.others);
  auto roots = find_handler(some, {"roots/list", {}});
  CHECK(std::get<const handler*>(roots) == &some.others);
}

TEST_CASE("a request without a handler is unknown") {
  CHECK(refusal({}, "roots/list") == -32601);
  CHECK(refusal({}, "elicitation/create") == -32601);
  CHECK(refusal({}, "x/y") == -32601);
}

TEST_CASE("what was not declared is an error of the params") {
  handlers some;
  some.elicit_form = answer;
  some.sampling = answer;
  CHECK(refusal(some, "elicitation/create") == 0);
  CHECK(refusal(some, "elicitation/create", R"({"mode":"form"})") == 0);
  CHECK(refusal(some, "elicitation/create", R"({"mode":"url"})") == -32602);
  CHECK(refusal(some, "elicitation/create", R"({"mode":7})") == -32602);
  const auto* params
    = GENERATE(R"({"tools":[]})", R"({"toolChoice":{"mode":"required"}})",
               R"({"toolChoice":null})");
  CHECK(refusal(some, "sampling/createMessage", params) == -32602);
  some.sampling_features["tools"] = boost::json::object{};
  CHECK(refusal(some, "sampling/createMessage", params) == 0);
}
