#include "caf_mcp/messages/error_info.hpp"
#include "caf_mcp/messages/hub.hpp"
#include "caf_mcp/messages/pipeline.hpp"
#include "caf_mcp/messages/server_entry.hpp"
#include "caf_mcp/messages/subscriptions.hpp"

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/binary_deserializer.hpp>
#include <caf/binary_serializer.hpp>
#include <caf/byte_buffer.hpp>
#include <caf/sec.hpp>
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

using namespace caf_mcp;

namespace {

caf::error& error_in(server_status& x) {
  return x.last_error;
}

caf::error& error_in(server_entry& x) {
  return x.error;
}

caf::error& error_in(subscription_closed& x) {
  return x.error;
}

caf::error& error_in(pipelined_answer& x) {
  return x.error;
}

/// Returns what another node reads of an error in a value of the type.
template <class Value>
caf::error read_elsewhere(const caf::error& error) {
  caf::actor_system_config config;
  caf::actor_system system{config};
  Value value;
  error_in(value) = error;
  caf::byte_buffer bytes;
  caf::binary_serializer sink{system, bytes};
  REQUIRE(sink.apply(value));
  caf::binary_deserializer source{system, bytes};
  Value result;
  REQUIRE(source.apply(result));
  return error_in(result);
}

} // namespace

TEMPLATE_TEST_CASE("an error in a value holds no errors on another node",
                   "[nested_errors]", server_status, server_entry,
                   subscription_closed, pipelined_answer) {
  auto nested = caf::make_error(caf::sec::runtime_error);
  for (auto depth = 0; depth < 3; ++depth)
    nested = caf::make_error(caf::sec::runtime_error, std::move(nested));
  const auto read = read_elsewhere<TestType>(nested);
  CHECK(read.context().template match_elements<error_info>());
  CHECK(describe(read).name == "connection_closed");
}

TEMPLATE_TEST_CASE("an error in a value says the same on another node",
                   "[nested_errors]", server_status, server_entry,
                   subscription_closed, pipelined_answer) {
  const auto ours = local_error(errc::not_found, "no such file", {});
  const auto read = read_elsewhere<TestType>(ours);
  CHECK(read == ours);
  CHECK(describe(read).message == "no such file");
  const auto theirs = peer_error(
    {-32001, "x", parse_payload(R"({"a":12345678901234567890123})")});
  CHECK(describe(read_elsewhere<TestType>(theirs)).data.to_json()
        == R"({"a":12345678901234567890123})");
  CHECK_FALSE(read_elsewhere<TestType>({}));
}
