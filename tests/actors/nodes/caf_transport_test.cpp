#include "caf_mcp/actors/nodes/caf_transport.hpp"

#include "caf_mcp/actors/nodes/node_gate.hpp"

#include "tests/support/host.hpp"

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/io/middleman.hpp>
#include <catch2/catch_test_macros.hpp>

#include <sys/socket.h>
#include <unistd.h>

using namespace caf_mcp;
using tests::value;

namespace {

struct plain_node {
  caf::actor_system_config config;
  caf::actor_system system{config.load<caf::io::middleman>()};
};

/// A connection, with the descriptor that it has.
struct connection_by_descriptor {
  int descriptor;
  caf::io::connection_handle handle;
};

connection_by_descriptor make_and_end(caf::actor_system& system) {
  int ends[2] = {-1, -1};
  REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
  node_socket socket;
  socket.fd = ends[0];
  const auto made = make_scribe(system, std::move(socket));
  ::close(ends[1]);
  return {ends[0], made->hdl()};
}

} // namespace

TEST_CASE("a connection is not taken for an earlier one that had the same "
          "descriptor",
          "[nodes]") {
  plain_node node;
  const auto first = make_and_end(node.system);
  const auto second = make_and_end(node.system);
  REQUIRE(first.descriptor == second.descriptor);
  CHECK(first.handle != second.handle);
}

TEST_CASE("a listener is not taken for an earlier one that had the same "
          "descriptor",
          "[nodes]") {
  plain_node node;
  auto handle = [&node] {
    auto gate = value(node_gate::listen("127.0.0.1", 0, nullptr, {}));
    return make_doorman(node.system, "127.0.0.1", std::move(gate))->hdl();
  };
  CHECK(handle() != handle());
}
