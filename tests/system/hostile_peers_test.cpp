// A peer of a node that has got through the handshake, and sends what it likes.
#include "caf_mcp/actors/hub.hpp"
#include "caf_mcp/actors/hub/interfaces.hpp"
#include "caf_mcp/actors/nodes.hpp"

#include "tests/support/basp_peer.hpp"
#include "tests/support/host.hpp"
#include "tests/support/nodes.hpp"
#include "tests/support/resident_memory.hpp"
#include "tests/support/scratch_directory.hpp"
#include "tests/support/tool.hpp"
#include "tests/support/wait_until.hpp"

#include <boost/json/serialize.hpp>
#include <caf/actor_registry.hpp>
#include <caf/binary_deserializer.hpp>
#include <caf/exit_reason.hpp>
#include <caf/system_messages.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <chrono>
#include <csignal>
#include <filesystem>

using namespace caf_mcp;
using Catch::Matchers::ContainsSubstring;
using tests::basp_peer;
using tests::node_host;
using tests::only_json;
using tests::run_tool;
using tests::scratch_directory;
using tests::serving_node;
using tests::tool_run;
using tests::value;

namespace {

/// CAF 0.18 has a type of its own.
using byte_type = caf::byte_buffer::value_type;

/// Actors of the node have lower ids.
constexpr std::uint64_t ids_max = 2000;

/// A node in this process that hosts the demo server.
class open_node {
public:
  open_node() {
    server_entry entry;
    entry.name = "demo";
    entry.options = tests::host::program("demo-server");
    servers_ = spawn_hub(*app.runtime, {entry});
    address_.host = "127.0.0.1";
    address_.port = value(publish_hub(app.system, servers_, {"127.0.0.1", 0}));
    CHECK(tests::wait_until(
      [this] { return status().state == server_state::ready; }));
  }

  server_status status() {
    return value(ask(*app.self, servers_, get_servers{})).at(0);
  }

  mcp_server demo() {
    return value(ask(*app.self, servers_, look_up{"demo"}));
  }

  const node_address& address() const {
    return address_;
  }

  const hub& servers() const {
    return servers_;
  }

  /// The words of a call to the server there.
  std::vector<std::string> words(std::vector<std::string> command) const {
    command.insert(command.begin(),
                   {"--node", to_string(address_), "--server", "demo"});
    return command;
  }

  // The tool does not beat as often as a node of the tests expects.
  node_host app{std::chrono::seconds{30}};

private:
  hub servers_;
  node_address address_;
};

template <caf::type_id_t Id>
void append_default(std::vector<caf::message>& to) {
  using value = caf::type_by_id_t<Id>;
  if constexpr (
    std::is_default_constructible_v<
      value> && caf::is_allowed_unsafe_message_type_v<value> == false)
    to.push_back(caf::make_message(value{}));
}

/// One message of each type from `Begin` on.
template <caf::type_id_t Begin, caf::type_id_t... Offsets>
void append_each(std::vector<caf::message>& to,
                 std::integer_sequence<caf::type_id_t, Offsets...>) {
  (append_default<Begin + Offsets>(to), ...);
}

/// All messages of this library with what they hold by default, and those that
/// would end, change or disturb something, if they were heard.
std::vector<caf::message> hostile_messages(const server_options& evil) {
  server_entry entry;
  entry.name = "demo";
  entry.options = evil;
  const caf::strong_actor_ptr nobody;
  const caf::actor_addr whoever;
  using caf::make_message;
  std::vector<caf::message> result{
    make_message(put_server{"extra", evil, {}}),
    make_message(put_server{"demo", evil, {}}),
    make_message(replace_server{evil, {}}),
    make_message(reload_servers{{entry}}),
    make_message(remove_server{"demo"}),
    make_message(restart_server{"demo"}),
    make_message(start_server{true}),
    make_message(restart_due{1}),
    // CAF's own.
    make_message(caf::make_error(caf::sec::runtime_error)),
    make_message(caf::down_msg{whoever, caf::exit_reason::kill}),
    make_message(caf::exit_msg{whoever, caf::exit_reason::kill}),
    make_message(caf::exit_msg{whoever, caf::exit_reason::user_shutdown}),
    make_message(caf::node_down_msg{caf::node_id{}, caf::error{}}),
    make_message(caf::sys_atom_v, caf::get_atom_v, std::string{"info"}),
    make_message(caf::spawn_atom_v, std::string{"caf_mcp.hub"}, caf::message{}),
    make_message(caf::registry_lookup_atom_v, std::string{"ConfigServ"}),
    make_message(caf::put_atom_v, std::string{"x"}, caf::message{}),
    make_message(caf::get_atom_v, std::string{"*"}),
    make_message(caf::subscribe_atom_v),
    make_message(caf::monitor_atom_v, nobody),
    make_message(caf::link_atom_v, whoever),
    make_message(caf::unlink_atom_v, nobody),
    make_message(caf::delete_atom_v, caf::node_id{}, caf::actor_id{1}),
    make_message(caf::unpublish_atom_v, whoever, std::uint16_t{0}),
    make_message(caf::close_atom_v, std::uint16_t{1}),
  };
  constexpr auto begin = caf::id_block::caf_mcp::begin;
  constexpr auto end = caf::id_block::caf_mcp::end;
  append_each<begin>(result,
                     std::make_integer_sequence<caf::type_id_t, end - begin>{});
  for (std::uint64_t number = 1; number < 8; ++number) {
    result.push_back(make_message(cancel_request{number, ""}));
    result.push_back(make_message(cancel_subscription{number}));
    result.push_back(make_message(grant_events{number, 1000}));
  }
  return result;
}

/// Sends all that to all actors, in the name of nobody, and of an actor of the
/// peer that has the id of the receiver.
void attack(basp_peer& peer, const server_options& evil) {
  for (const auto& message : hostile_messages(evil))
    for (std::uint64_t id = 1; id <= ids_max; ++id) {
      peer.send(message, 0, id);
      peer.send(message, id, id);
    }
  const auto answer
    = caf::make_message(caf::make_error(caf::sec::broken_promise));
  for (std::uint64_t id = 1; id <= ids_max; ++id)
    for (std::uint64_t number = 1; number < 8; ++number)
      peer.send(answer, 77, id, basp_peer::response(number));
}

/// The payload of a message of one element of a type, which holds a message of
/// the same type after the bytes `before`, and so on, deeper than any stack.
caf::byte_buffer nested(caf::type_id_t type,
                        const std::vector<byte_type>& before) {
  caf::byte_buffer result{byte_type{0}}; // no stages
  for (auto depth = 0; depth < 1'000'000; ++depth) {
    result.push_back(byte_type{1});
    result.push_back(static_cast<byte_type>(type >> 8U));
    result.push_back(static_cast<byte_type>(type & 0xFFU));
    result.insert(result.end(), before.begin(), before.end());
  }
  return result;
}

/// A peer that has written nothing wrong so far.
basp_peer fresh_peer(open_node& node) {
  return basp_peer{node.app.system, node.address()};
}

} // namespace

TEST_CASE("a peer can neither configure, stop nor end anything", "[nodes]") {
  open_node node;
  scratch_directory directory;
  const auto marker = directory.path() + "/marker";
  auto evil = tests::host::program("demo-server");
  evil.command = "/bin/sh";
  evil.args = {"-c", "touch '" + marker + "'; sleep 30"};
  const auto before = node.status();
  tool_run listener{node.words({"listen", "--tools", "--count", "1"})};
  listener.wait_for_output("accepted");
  tool_run caller{node.words({"request", "tools/call", "name=slow",
                              R"(arguments:={"ms": 60000, "steps": 600})"})};
  CHECK(tests::wait_until([&node] { return node.status().in_flight >= 1; }));
  basp_peer peer{node.app.system, node.address()};
  attack(peer, evil);
  // Another call comes after what the peer has sent.
  peer.send(caf::make_message(get_servers{}), 77, peer.gateway(),
            basp_peer::request(1));
  while (peer.receive(77).source != peer.gateway()) {
    // nop: actors of CAF answer, too
  }
  auto result = run_tool(node.words({"call", "echo", "message=hi", "--json"}));
  CHECK(result.status == 0);
  CHECK_THAT(result.out, ContainsSubstring("\"hi\""));
  const auto after = node.status();
  CHECK(after.pid == before.pid);
  CHECK(after.state == server_state::ready);
  CHECK(after.restarts == 0);
  CHECK(after.in_flight >= 1);
  CHECK_FALSE(std::filesystem::exists(marker));
  CHECK(value(ask(*node.app.self, node.servers(), get_servers{})).size() == 1);
  CHECK(run_tool(node.words({"call", "touch", "list=tools"})).status == 0);
  CHECK(listener.finish().status == 0);
  caller.signal(SIGINT);
  caller.finish();
}

TEST_CASE("a peer that speaks for another node is cut off", "[nodes]") {
  open_node node;
  tool_run listener{node.words({"listen", "--tools", "--count", "1"})};
  listener.wait_for_output("accepted");
  tool_run caller{node.words({"request", "tools/call", "name=slow",
                              R"(arguments:={"ms": 60000, "steps": 600})"})};
  CHECK(tests::wait_until([&node] { return node.status().in_flight >= 1; }));
  const auto kill = caf::make_message(
    caf::exit_msg{caf::actor_addr{}, caf::exit_reason::kill});
  SECTION("by a message of an actor of this node") {
    auto peer = fresh_peer(node);
    peer.send_forged(kill, 1, peer.gateway());
    CHECK(peer.is_cut_off());
  }
  SECTION("by the news that an actor is down") {
    auto peer = fresh_peer(node);
    peer.send_down(node.app.system.node(), 1);
    CHECK(peer.is_cut_off());
  }
  SECTION("by watching an actor in the name of another node") {
    auto peer = fresh_peer(node);
    peer.send_monitor(node.app.system.node(), peer.gateway());
    CHECK(peer.is_cut_off());
  }
  SECTION("by introducing itself anew") {
    auto peer = fresh_peer(node);
    peer.introduce();
    CHECK(peer.is_cut_off());
  }
  SECTION("in its own name, it may") {
    auto peer = fresh_peer(node);
    peer.send_down(peer.claimed(), 1);
    for (std::uint64_t id = 1; id <= ids_max; ++id)
      peer.send_monitor(peer.claimed(), id);
    CHECK_FALSE(peer.is_cut_off());
  }
  CHECK(node.status().in_flight >= 1);
  CHECK(run_tool(node.words({"call", "touch", "list=tools"})).status == 0);
  CHECK(listener.finish().status == 0);
  caller.signal(SIGINT);
  caller.finish();
}

TEST_CASE("a peer cannot have the node read what harms it", "[nodes]") {
  open_node node;
  SECTION("a link to an actor of the node, which CAF takes for a proxy") {
    auto peer = fresh_peer(node);
    const auto own = caf::actor_cast<caf::strong_actor_ptr>(node.servers());
    node.app.system.registry().put(own->id(), own);
    for (auto i = 0; i < 10; ++i) {
      peer.send(caf::make_message(caf::link_atom_v, own), 77, peer.gateway());
      peer.send(caf::make_message(caf::unlink_atom_v, own), 77, peer.gateway());
    }
    CHECK_FALSE(peer.is_cut_off());
    node.app.system.registry().erase(own->id());
  }
  SECTION("messages within each other") {
    auto peer = fresh_peer(node);
    peer.send_payload(nested(caf::type_id_v<caf::message>, {}), 77,
                      peer.gateway(), basp_peer::asynchronous);
    CHECK_FALSE(peer.is_cut_off());
  }
  SECTION("errors within each other") {
    auto peer = fresh_peer(node);
    peer.send_payload(nested(caf::type_id_v<caf::error>,
                             {byte_type{1}, byte_type{1}, byte_type{0},
                              byte_type{caf::type_id_v<caf::sec>}}),
                      77, peer.gateway(), basp_peer::asynchronous);
    CHECK_FALSE(peer.is_cut_off());
  }
  CHECK(run_tool(node.words({"ping"})).status == 0);
}

TEST_CASE("a frame that is announced too large is refused, not read",
          "[nodes]") {
  open_node node;
  auto peer = fresh_peer(node);
  const auto before = tests::resident_bytes();
  peer.announce(0xFFFF'FFFF);
  CHECK(peer.is_cut_off());
  CHECK(tests::resident_bytes() < before + (std::size_t{32} << 20U));
  CHECK(run_tool(node.words({"ping"})).status == 0);
}

TEST_CASE("a peer learns of no actor but the gateway and its own facade",
          "[nodes]") {
  open_node node;
  const auto server = node.demo()->id();
  const auto all = node.servers()->id();
  basp_peer peer{node.app.system, node.address()};
  auto look_up_demo = [&](std::uint64_t caller) {
    peer.send(caf::make_message(look_up{"demo"}), caller, peer.gateway(),
              basp_peer::request(1));
    auto answer = peer.receive(caller);
    CHECK(answer.source == peer.gateway());
    caf::binary_deserializer source{node.app.system, answer.payload};
    std::vector<caf::strong_actor_ptr> stages;
    caf::message found;
    REQUIRE(source.apply(stages));
    REQUIRE(source.apply(found));
    REQUIRE(found.match_elements<mcp_server>());
    return found.get_as<mcp_server>(0)->id();
  };
  const auto facade = look_up_demo(77);
  CHECK(facade != server);
  CHECK(facade != all);
  CHECK(look_up_demo(77) == facade);
  CHECK(look_up_demo(78) != facade);
  peer.send(caf::make_message(call_tool("echo", {{"message", "hi"}})), 77,
            facade, basp_peer::request(2));
  CHECK(peer.receive(77).source == facade);
  // Nobody else may use it.
  peer.send(caf::make_message(call_tool("slow", {{"ms", 60'000}})), 79, facade,
            basp_peer::request(1));
  CHECK(peer.receive(79).source == facade);
  CHECK(node.status().in_flight == 0);
}

TEST_CASE("what goes wrong on a node is told without its secrets", "[nodes]") {
  node_host app;
  serving_node node{{"127.0.0.1:0",
                     R"({"mcpServers": {
          "lost": {"command": "/bin/sh", "restart": "temporary",
                   "args": ["-c", "echo hunter2 >&2; exit 3"]},
          "none": {"command": "/no/such/s3cr3t-value", "start": "lazy"},
          "broken": {"command": "x", "cd": "s3cr3t-value/relative",
                     "stderr": "s3cr3t-value"}}})"}};
  auto check_clean = [](const std::string& text) {
    INFO(text);
    CHECK(text.find("s3cr3t") == std::string::npos);
    CHECK(text.find("hunter2") == std::string::npos);
    CHECK(text.find("PATH") == std::string::npos);
    CHECK(text.find("mcp.json") == std::string::npos);
  };
  for (const auto* name : {"lost", "none", "broken"}) {
    auto result = run_tool({"--node", to_string(node.address()), "--server",
                            name, "tools", "--json"});
    CHECK(result.status != 0);
    CHECK(only_json(result.out).at("error").as_object().contains("name"));
    check_clean(result.out);
    check_clean(result.err);
  }
  auto there = connect_gateway(app.system, node.address());
  REQUIRE(there);
  for (const auto& status : value(ask(*app.self, *there, get_servers{})))
    check_clean(boost::json::serialize(to_json(status)));
  check_clean(value(ask(*app.self, *there, get_catalogue{})).to_json());
}

TEST_CASE("a peer that comes is not taken for one that has just left",
          "[nodes]") {
  node_host app;
  // In a process of its own, where descriptors are used again by peers alone.
  serving_node node;
  // Takes the node longer to read than the next peer takes to come.
  send_pipelined long_read{1, {}};
  for (std::uint64_t slot = 0; slot < 50'000; ++slot)
    long_read.requests.push_back({slot, call_tool("echo", {{"a", 1}})});
  for (auto round = 0U; round < 5; ++round) {
    basp_peer leaving{app.system, node.address(), 2 * round + 1};
    leaving.send(caf::make_message(long_read), 77, leaving.gateway());
    leaving.end();
    basp_peer coming{app.system, node.address(), 2 * round + 2};
    CHECK_FALSE(coming.is_cut_off());
  }
}
