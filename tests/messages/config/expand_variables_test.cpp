#include "caf_mcp/messages/config/expand_variables.hpp"

#include "tests/support/error_text.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <catch2/catch_test_macros.hpp>

#include <cstdlib>

using namespace caf_mcp;
using tests::text_of;

namespace {

std::optional<std::string> lookup(std::string_view name) {
  if (name == "HOME")
    return "/home/me";
  if (name == "EMPTY")
    return "";
  if (name == "TRICKY")
    return "${HOME}";
  return std::nullopt;
}

/// Returns the expanded JSON text or the error.
std::string expand(std::string_view json) {
  auto value = boost::json::parse(json);
  if (auto error = expand_variables(value, "args", lookup))
    return text_of(error);
  return boost::json::serialize(value);
}

} // namespace

TEST_CASE("variables are replaced by their values", "[expand_variables]") {
  CHECK(expand(R"("${HOME}")") == R"("/home/me")");
  CHECK(expand(R"("${env:HOME}/x")") == R"("/home/me/x")");
  CHECK(expand(R"("a${HOME}b${EMPTY}c${env:HOME}")")
        == R"("a/home/mebc/home/me")");
}

TEST_CASE("all strings are expanded, names of members are not",
          "[expand_variables]") {
  CHECK(expand(R"({"${HOME}":["${HOME}",1,{"secret":"${HOME}"}]})")
        == R"({"${HOME}":["/home/me",1,{"secret":"/home/me"}]})");
}

TEST_CASE("values are not expanded again", "[expand_variables]") {
  CHECK(expand(R"("${TRICKY}")") == R"("${HOME}")");
}

TEST_CASE("a default stands in for a variable that is not set",
          "[expand_variables]") {
  CHECK(expand(R"("${NONE:-x y}${HOME:-z}${env:NONE:-}")")
        == R"("x y/home/me")");
}

TEST_CASE("a missing variable is an error that names it",
          "[expand_variables]") {
  CHECK(expand(R"(["${HOME}", "${env:NONE}"])")
        == "config_invalid: args: ${env:NONE}: the environment variable NONE "
           "is not set");
}

TEST_CASE("placeholders of another sort are refused", "[expand_variables]") {
  for (auto json : {R"("${input:key}")", R"("${}")", R"("${a b}")",
                    R"("${env:}")", R"("${:-x}")"})
    CHECK(expand(json).starts_with("config_invalid: args: ${"));
}

TEST_CASE("what is no placeholder is left alone", "[expand_variables]") {
  for (auto json : {R"("")", R"("$HOME")", R"("{HOME}")", R"("a}b")",
                    R"("${HOME")", R"("$")", R"("100$")"})
    CHECK(expand(json) == json);
}

TEST_CASE("variables of this process can be looked up", "[expand_variables]") {
  ::setenv("CAF_MCP_TEST_VARIABLE", "x", 1);
  CHECK(host_variable("CAF_MCP_TEST_VARIABLE") == "x");
  ::unsetenv("CAF_MCP_TEST_VARIABLE");
  CHECK(host_variable("CAF_MCP_TEST_VARIABLE") == std::nullopt);
}
