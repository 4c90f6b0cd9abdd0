#include "caf_mcp/messages/secret.hpp"

#include "caf_mcp/messages/env_value.hpp"

#include <caf/binary_deserializer.hpp>
#include <caf/binary_serializer.hpp>
#include <caf/byte_buffer.hpp>
#include <caf/deep_to_string.hpp>
#include <catch2/catch_test_macros.hpp>

#include <string>
#include <string_view>

using namespace caf_mcp;

namespace {

template <class T>
caf::byte_buffer bytes_of(const T& x) {
  caf::byte_buffer result;
  caf::binary_serializer sink{nullptr, result};
  REQUIRE(sink.apply(x));
  return result;
}

template <class T>
T copy_on_another_node(const T& x) {
  auto bytes = bytes_of(x);
  caf::binary_deserializer source{nullptr, bytes};
  T result;
  REQUIRE(source.apply(result));
  return result;
}

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
  CHECK(as_text(bytes_of(x)).find("hunter2") == std::string_view::npos);
  CHECK(copy_on_another_node(x).reveal().empty());
}

TEST_CASE("the text of a secret variable stays on this node", "[secret]") {
  auto x = env_value{secret{"hunter2"}};
  CHECK(caf::deep_to_string(x).find("hunter2") == std::string::npos);
  CHECK(as_text(bytes_of(x)).find("hunter2") == std::string_view::npos);
  CHECK(copy_on_another_node(x) == env_value{secret{}});
}

TEST_CASE("other variables reach another node as they are", "[secret]") {
  CHECK(copy_on_another_node(env_value{"C"}) == env_value{"C"});
  CHECK(copy_on_another_node(env_value{unset_variable{}})
        == env_value{unset_variable{}});
}
