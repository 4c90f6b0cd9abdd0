// One peer that asks for more than its part of what a node holds.
#include "caf_mcp/actors/hub.hpp"
#include "caf_mcp/actors/nodes.hpp"

#include "tests/support/basp_peer.hpp"
#include "tests/support/host.hpp"
#include "tests/support/nodes.hpp"
#include "tests/support/tool.hpp"
#include "tests/support/wait_until.hpp"

#include <caf/binary_deserializer.hpp>
#include <catch2/catch_test_macros.hpp>

#include <chrono>
#include <string>
#include <vector>

using namespace caf_mcp;
using tests::basp_peer;
using tests::failure;
using tests::node_host;
using tests::run_tool;
using tests::value;

namespace {

/// A node in this process that hosts the demo server.
class limited_node {
public:
  explicit limited_node(const peer_limits& limits) {
    server_entry entry;
    entry.name = "demo";
    entry.options = tests::host::program("demo-server");
    servers_ = spawn_hub(*app.runtime, {entry});
    address_
      = {"127.0.0.1",
         value(publish_hub(app.system, servers_, {"127.0.0.1", 0}, limits))};
  }

  std::uint64_t in_flight() {
    return value(ask(*app.self, servers_, get_servers{})).at(0).in_flight;
  }

  const node_address& address() const {
    return address_;
  }

  /// Another process of the user calls, and is served.
  void check_serves_others() const {
    CHECK(run_tool({"--node", to_string(address_), "--server", "demo", "ping"})
            .status
          == 0);
  }

  // The peers of these tests send no heartbeats.
  node_host app{std::chrono::seconds{60}};

private:
  hub servers_;
  node_address address_;
};

/// Another actor system of this process: one peer.
struct peer_node {
  tls_credentials tls = value(tls_credentials::of_user());
  tests::node_config config{tls, std::chrono::seconds{60}};
  caf::actor_system system{config};
  caf::scoped_actor self{system};
};

send_request slow_call() {
  auto result = call_tool("slow", {{"ms", 60'000}, {"steps", 600}});
  result.options.tag = 7;
  return result;
}

/// Returns the next message for an actor of the peer.
caf::message receive(caf::actor_system& system, basp_peer& peer,
                     std::uint64_t receiver) {
  const auto frame = peer.receive(receiver);
  caf::binary_deserializer source{system, frame.payload};
  std::vector<caf::strong_actor_ptr> stages;
  caf::message result;
  REQUIRE(source.apply(stages));
  REQUIRE(source.apply(result));
  return result;
}

} // namespace

TEST_CASE(
  "a peer that asks for more than its part is refused, others are served",
  "[nodes][limits]") {
  limited_node node{{3, 1'000'000}};
  peer_node peer;
  auto server = spawn_remote_server(peer.system, node.address(), "demo");
  auto call = [&] { return ask(peer.self.ptr(), server, slow_call()); };
  value(ask(peer.self, server, get_session{}));
  auto first = call();
  auto second = call();
  auto third = call();
  REQUIRE(tests::wait_until([&] { return node.in_flight() == 3; }));
  const auto why = failure(ask(peer.self, server, slow_call()));
  CHECK(why.name == "too_many_requests");
  CHECK(why.data.string_member("key") == "peer_requests");
  CHECK(why.data.member("limit").value() == 3);
  node.check_serves_others();
  // It may cancel, and has room again then.
  value(ask(peer.self, server, cancel_request{7, ""}));
  REQUIRE(tests::wait_until([&] { return node.in_flight() == 0; }));
  value(ask(peer.self, server, call_tool("echo", {{"message", "x"}})));
  value(ask(peer.self, server, close_connection{}));
}

TEST_CASE("a peer that sends more bytes than its part is refused",
          "[nodes][limits]") {
  limited_node node{{100, 10'000}};
  peer_node peer;
  auto server = spawn_remote_server(peer.system, node.address(), "demo");
  const std::string large(20'000, 'x');
  const auto why
    = failure(ask(peer.self, server, call_tool("echo", {{"message", large}})));
  CHECK(why.name == "too_many_requests");
  CHECK(why.data.string_member("key") == "peer_bytes");
  for (auto i = 0; i < 10; ++i)
    value(ask(peer.self, server,
              call_tool("echo", {{"message", large.substr(0, 5'000)}})));
  value(ask(peer.self, server, close_connection{}));
}

TEST_CASE("a peer that awaits none of its refusals loses what stands for the "
          "server",
          "[nodes][limits]") {
  limited_node node{{5, 1'000'000}};
  basp_peer peer{node.app.system, node.address()};
  auto look_up_demo = [&] {
    peer.send(caf::make_message(look_up{"demo"}), 77, peer.gateway(),
              basp_peer::request(1));
    const auto found = receive(node.app.system, peer, 77);
    REQUIRE(found.match_elements<mcp_server>());
    return found.get_as<mcp_server>(0)->id();
  };
  const auto facade = look_up_demo();
  send_pipelined many{1, {}};
  for (std::uint64_t slot = 0; slot < 20; ++slot)
    many.requests.push_back({slot, slow_call()});
  peer.send(caf::make_message(many), 77, facade, basp_peer::request(2));
  const auto refused = receive(node.app.system, peer, 77);
  REQUIRE(refused.match_elements<caf::error>());
  const auto why = describe(refused.get_as<caf::error>(0));
  CHECK(why.name == "too_many_requests");
  CHECK(tests::wait_until([&] { return node.in_flight() == 0; }));
  CHECK(look_up_demo() != facade);
  node.check_serves_others();
}

TEST_CASE("a peer is one peer by all its actors and look-ups",
          "[nodes][limits]") {
  limited_node node{{5, 1'000'000}};
  basp_peer peer{node.app.system, node.address()};
  auto refused = 0;
  for (std::uint64_t caller = 100; caller < 110; ++caller) {
    peer.send(caf::make_message(look_up{"demo"}), caller, peer.gateway(),
              basp_peer::request(1));
    const auto found = receive(node.app.system, peer, caller);
    if (found.match_elements<caf::error>()) {
      ++refused;
      CHECK(describe(found.get_as<caf::error>(0)).name == "too_many_requests");
    }
  }
  CHECK(refused == 5);
  node.check_serves_others();
}
