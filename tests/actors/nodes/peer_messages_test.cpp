#include "caf_mcp/actors/nodes/peer_messages.hpp"

#include "caf_mcp/actors/interfaces.hpp"
#include "caf_mcp/messages/error_info.hpp"
#include "caf_mcp/messages/hub.hpp"

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/binary_serializer.hpp>
#include <caf/byte_buffer.hpp>
#include <caf/message.hpp>
#include <catch2/catch_test_macros.hpp>

#include <vector>

using namespace caf_mcp;
using caf::make_message;

namespace {

/// CAF 0.18 has a type of its own.
using byte_type = caf::byte_buffer::value_type;

struct writer {
  bool accepts(const caf::message& what) {
    caf::byte_buffer bytes;
    caf::binary_serializer sink{system, bytes};
    const std::vector<caf::strong_actor_ptr> stages;
    REQUIRE(sink.apply(stages));
    REQUIRE(sink.apply(what));
    return is_readable_message(reinterpret_cast<const std::byte*>(bytes.data()),
                               bytes.size());
  }

  caf::actor_system_config config;
  caf::actor_system system{config};
};

} // namespace

TEST_CASE("messages of nodes are readable", "[peer_messages]") {
  writer by;
  CHECK(by.accepts({}));
  CHECK(by.accepts(make_message(look_up{"demo"})));
  CHECK(by.accepts(make_message(std::vector<server_status>{})));
  CHECK(by.accepts(make_message(std::uint64_t{1})));
  CHECK(by.accepts(make_message(caf::error{})));
  CHECK(by.accepts(make_message(caf::make_error(caf::sec::broken_promise))));
  CHECK(by.accepts(make_message(local_error(errc::not_found, "x"))));
  CHECK(by.accepts(make_message(peer_error(rpc_error{}))));
  CHECK(by.accepts(
    make_message(caf::sys_atom_v, caf::get_atom_v, std::string{"info"})));
}

TEST_CASE("messages that harm their reader are not readable",
          "[peer_messages]") {
  writer by;
  const caf::strong_actor_ptr nobody;
  CHECK_FALSE(by.accepts(make_message(caf::link_atom_v, nobody)));
  CHECK_FALSE(by.accepts(make_message(caf::unlink_atom_v, nobody)));
  CHECK_FALSE(by.accepts(make_message(caf::message{})));
  CHECK_FALSE(by.accepts(make_message(caf::config_value{})));
  CHECK_FALSE(by.accepts(make_message(look_up{"demo"}, caf::message{})));
  CHECK_FALSE(by.accepts(make_message(
    caf::make_error(caf::sec::runtime_error, caf::make_error(caf::sec{1})))));
  CHECK_FALSE(by.accepts(
    make_message(caf::make_error(caf::sec::runtime_error, server_status{}))));
  CHECK_FALSE(
    by.accepts(make_message(caf::spawn_atom_v, std::string{}, caf::message{})));
}

TEST_CASE("bytes that are no message are not readable", "[peer_messages]") {
  auto accepts = [](const caf::byte_buffer& bytes) {
    return is_readable_message(reinterpret_cast<const std::byte*>(bytes.data()),
                               bytes.size());
  };
  const byte_type zero{0};
  const byte_type one{1};
  const byte_type all{0xFF};
  CHECK_FALSE(accepts({}));
  CHECK_FALSE(accepts({zero}));
  CHECK_FALSE(accepts({one, zero}));
  CHECK_FALSE(accepts({zero, one}));
  CHECK_FALSE(accepts({zero, one, zero}));
  CHECK_FALSE(accepts({zero, all, zero}));
  CHECK(accepts({zero, zero}));
}
