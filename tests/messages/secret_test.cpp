#include "caf_mcp/messages/secret.hpp"

#include "caf_mcp/messages/env_value.hpp"

#include "tests/support/caf_bytes.hpp"

#include <caf/deep_to_string.hpp>
#include <catch2/catch_test_macros.hpp>

#include <string>
#include <string_view>

using namespace caf_mcp;
using tests::across_nodes;
using tests::to_bytes;

namespace {

std::string_view as_text(const caf::byte_buffer& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

} // namespace

TEST_CASE("a secret is revealed on request only", "[secret]") {
  auto x = secret{"hunter2"};
  CHECK(x.reveal() == "hunter2");
  CHECK(to_string(x) == "<secret>");
  CHECK(caf::deep_to_string(x).find("hunter2") == std::string::npos);
}

TEST_CASE("secrets are equal when their texts are", "[secret]") {
  CHECK(secret{"a"} == secret{"a"});
  CHECK_FALSE(secret{"a"} == secret{"b"});
}

TEST_CASE("a secret arrives empty on another node", "[secret]") {
  auto x = secret{"hunter2"};
  CHECK(as_text(*to_bytes(x)).find("hunter2") == std::string_view::npos);
  CHECK(across_nodes(x)->reveal().empty());
}

TEST_CASE("the text of a secret variable stays on this node", "[secret]") {
  auto x = env_value{secret{"hunter2"}};
  CHECK(caf::deep_to_string(x).find("hunter2") == std::string::npos);
  CHECK(as_text(*to_bytes(x)).find("hunter2") == std::string_view::npos);
  CHECK(across_nodes(x) == env_value{secret{}});
}

TEST_CASE("other variables reach another node as they are", "[secret]") {
  CHECK(across_nodes(env_value{"C"}) == env_value{"C"});
  CHECK(across_nodes(env_value{unset_variable{}})
        == env_value{unset_variable{}});
}
