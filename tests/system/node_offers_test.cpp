#include "caf_mcp/actors/hub.hpp"
#include "caf_mcp/actors/nodes.hpp"
#include "caf_mcp/messages/config/server_config.hpp"

#include "tests/support/host.hpp"
#include "tests/support/nodes.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/pipeline_caller.hpp"
#include "tests/support/tool.hpp"
#include "tests/support/wait_until.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

// What a node keeps from other nodes by its configuration.

using namespace caf_mcp;
using Catch::Matchers::ContainsSubstring;
using tests::failure;
using tests::node_host;
using tests::only_json;
using tests::run_tool;
using tests::value;

namespace {

constexpr std::string_view refused_echo
  = "the node does not offer the tool \"echo\"";

/// A server that offers all to this node, and less to others.
server_entry demo(std::string name, server_offer offer = {}) {
  server_entry result;
  result.name = std::move(name);
  result.options = tests::host::program("demo-server");
  result.policy.offer = std::move(offer);
  return result;
}

server_offer without(std::string tool) {
  server_offer result;
  result.deny = {std::move(tool)};
  return result;
}

server_offer hidden() {
  server_offer result;
  result.remote = false;
  return result;
}

/// Another node in this process: it has no children of its own.
struct calling_node {
  tls_credentials tls = value(tls_credentials::of_user());
  tests::node_config config{tls};
  caf::actor_system system{config};
  caf::scoped_actor self{system};
};

/// A node that hosts servers.
class offering_node {
public:
  explicit offering_node(std::vector<server_entry> servers)
    : hub_{spawn_hub(*app.runtime, std::move(servers))},
      address_{"127.0.0.1",
               value(publish_hub(app.system, hub_, {"127.0.0.1", 0}))} {
    // nop
  }

  const hub& servers() const {
    return hub_;
  }

  std::string address() const {
    return to_string(address_);
  }

  /// Runs the tool against the node.
  auto tool(std::vector<std::string> words) const {
    words.insert(words.begin(), {"--node", address(), "--json"});
    return run_tool(std::move(words));
  }

  template <class Message>
  auto ask_gateway(const Message& message) {
    calling_node caller;
    auto there = value(connect_gateway(caller.system, address_));
    return ask(caller.self, there, message);
  }

  node_host app;

private:
  hub hub_;
  node_address address_;
};

std::string message_of(const tests::tool_result& run) {
  return std::string{only_json(run.out).at("error").at("message").as_string()};
}

} // namespace

TEST_CASE("a server that is kept from other nodes is as one that is not there",
          "[node_offers]") {
  offering_node node{{demo("open"), demo("closed", hidden())}};
  auto unknown = node.tool({"--server", "closed", "tools"});
  CHECK(unknown.status == 2);
  CHECK(message_of(unknown)
        == R"(no server is called "closed"; known are "open")");
  CHECK(message_of(node.tool({"--server", "mail", "tools"}))
        == R"(no server is called "mail"; known are "open")");
  auto names = value(node.ask_gateway(get_servers{}));
  REQUIRE(names.size() == 1);
  CHECK(names.front().name == "open");
  CHECK_THAT(value(node.ask_gateway(get_catalogue{})).to_json(),
             !ContainsSubstring("closed"));
  CHECK(value(ask(*node.app.self, node.servers(), get_servers{})).size() == 2);
}

TEST_CASE(
  "a server that was removed is as one that never was, hidden ones stay "
  "so",
  "[node_offers]") {
  offering_node node{{demo("gone"), demo("open"), demo("closed", hidden())}};
  const auto look_up_gone
    = [&node] { return failure(node.ask_gateway(look_up{"gone"})).message; };
  CHECK(node.ask_gateway(look_up{"gone"}));
  SECTION("by a new configuration") {
    value(ask(*node.app.self, node.servers(),
              reload_servers{{demo("open"), demo("closed", hidden())}}));
  }
  SECTION("by its name") {
    value(ask(*node.app.self, node.servers(), remove_server{"gone"}));
  }
  CHECK(look_up_gone() == R"(no server is called "gone"; known are "open")");
}

TEST_CASE("a server that cannot be used is refused with its own error",
          "[node_offers]") {
  auto broken = demo("broken");
  broken.state = server_entry_state::disabled;
  broken.error = local_error(errc::config_invalid, "is /s3cr3t");
  offering_node node{{broken, demo("closed", hidden())}};
  const auto why = failure(node.ask_gateway(look_up{"broken"}));
  CHECK(why.name == "config_invalid");
  CHECK_THAT(why.message, !ContainsSubstring("s3cr3t"));
}

TEST_CASE("a tool that is not offered is refused however it is called",
          "[node_offers]") {
  offering_node node{{demo("demo", without("echo"))}};
  const std::string params = R"({"name":"echo","arguments":{"message":"x"}})";
  for (const auto& words : std::vector<std::vector<std::string>>{
         {"--server", "demo", "call", "echo", "message=x"},
         {"--server", "demo", "request", "tools/call", params},
         {"--server", "demo", "notify", "tools/call", params},
       }) {
    auto run = node.tool(words);
    CAPTURE(words, run.out);
    CHECK(run.status == 2);
    CHECK(message_of(run) == refused_echo);
  }
  auto here = value(ask(*node.app.self, node.servers(), look_up{"demo"}));
  value(ask(*node.app.self, here, call_tool("echo", {{"message", "x"}})));
}

TEST_CASE("a pipeline of another node is refused what is not offered, in place",
          "[node_offers]") {
  offering_node node{{demo("demo", without("echo"))}};
  calling_node caller;
  auto server = spawn_remote_server(
    caller.system, value(parse_node_address("node", node.address())), "demo");
  std::vector<send_request> requests{
    call_tool("add", {{"a", 1}, {"b", 2}}),
    call_tool("echo", {{"message", "x"}}),
    send_request{"tools/list", {}, {}},
  };
  pipelined_answers all;
  await_answers message;
  for (std::uint64_t slot = 0; slot < requests.size(); ++slot)
    message.requests.push_back({slot, requests[slot]});
  while (all.answers.size() < requests.size()) {
    auto some = value(ask(caller.self, server, message));
    message.requests.clear();
    REQUIRE_FALSE(some.answers.empty());
    for (auto& each : some.answers)
      all.answers.push_back(std::move(each));
  }
  for (const auto& each : all.answers) {
    CAPTURE(each.slot);
    if (each.slot == 1) {
      CHECK(describe(each.error).name == "not_found");
      CHECK(describe(each.error).message == refused_echo);
    } else {
      CHECK_FALSE(each.error);
      CHECK_THAT(each.result.to_json(), !ContainsSubstring("\"echo\""));
    }
  }
  value(ask(caller.self, server, close_connection{}));
}

TEST_CASE("lists of another node hold the tools that are offered",
          "[node_offers]") {
  offering_node node{{demo("demo", without("echo"))}};
  auto listed = node.tool({"--server", "demo", "tools"});
  auto raw = node.tool({"--server", "demo", "request", "tools/list"});
  for (const auto& run : {listed, raw}) {
    CHECK(run.status == 0);
    CHECK_THAT(run.out,
               !ContainsSubstring("\"echo\"") && ContainsSubstring("\"slow\""));
  }
  const auto catalogue = value(node.ask_gateway(get_catalogue{})).to_json();
  CHECK_THAT(catalogue,
             !ContainsSubstring("demo/echo") && ContainsSubstring("demo/slow"));
  auto here = value(ask(*node.app.self, node.servers(), look_up{"demo"}));
  CHECK_THAT(value(ask(*node.app.self, here, list_all{})).to_json(),
             ContainsSubstring("\"echo\""));
}

TEST_CASE("a new offer holds for callers that are there, without a restart",
          "[node_offers]") {
  offering_node node{{demo("demo")}};
  calling_node caller;
  auto server = spawn_remote_server(
    caller.system, value(parse_node_address("node", node.address())), "demo");
  auto echo = [&caller, &server] {
    return ask(caller.self, server, call_tool("echo", {{"message", "x"}}));
  };
  auto status = [&node] {
    return value(ask(*node.app.self, node.servers(), get_servers{})).at(0);
  };
  value(echo());
  const auto pid = status().pid;
  auto change = [&node](server_offer offer) {
    value(ask(*node.app.self, node.servers(),
              reload_servers{{demo("demo", std::move(offer))}}));
  };
  change(without("echo"));
  REQUIRE(tests::wait_until([&] { return !echo(); }));
  CHECK(failure(echo()).message == refused_echo);
  change({});
  REQUIRE(tests::wait_until([&] { return static_cast<bool>(echo()); }));
  change(hidden());
  REQUIRE(tests::wait_until([&] { return !echo(); }));
  CHECK(tests::wait_until([&] { return failure(echo()).name == "not_found"; }));
  CHECK(status().pid == pid);
  value(ask(caller.self, server, close_connection{}));
}
