#include "tests/support/host.hpp"
#include "tests/support/nodes.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/tool.hpp"
#include "tests/support/wait_until.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <algorithm>
#include <csignal>
#include <set>

using namespace caf_mcp;
using Catch::Matchers::ContainsSubstring;
using tests::demo_servers;
using tests::node_host;
using tests::run_tool;
using tests::serving_node;
using tests::value;

namespace {

/// A node in a process of its own, whose server tells its name.
serving_node node_called(const std::string& name) {
  return serving_node{
    {"127.0.0.1:0", boost::json::serialize(boost::json::value{
                      {"mcpServers",
                       {{"demo",
                         {{"command", tests::binary("demo-server")},
                          {"env", {{"NODE_NAME", name}}}}}}}})}};
}

/// Two nodes with the same server, in processes of their own, and a caller in
/// this one.
struct two_nodes {
  node_host app; // outlives the others, for it looks for what is left
  serving_node a = node_called("a");
  serving_node b = node_called("b");
  connection server = spawn_remote_server(
    app.system, std::vector{a.address(), b.address()}, "demo");

  ~two_nodes() {
    value(ask(*app.self, server, close_connection{}));
  }

  /// Returns which node has answered.
  std::string who() {
    auto answer = value(
      ask(*app.self, server, call_tool("env", {{"name", "NODE_NAME"}})));
    const auto text = boost::json::parse(
      answer.value().at("content").at(0).at("text").as_string());
    return text.at("NODE_NAME").as_string().c_str();
  }

  /// Until both are connected, the first that is answers all calls.
  void wait_until_both_answer() {
    std::set<std::string> seen;
    CHECK(tests::wait_until([&] {
      seen.insert(who());
      return seen.size() == 2;
    }));
  }

  /// Waits until the caller knows that a node is lost.
  void wait_for_loss() {
    (*app.self)->receive_while(
      [&] { return !is_lost; })([this](const status_changed& status) {
      is_lost = status.reason && status.reason->cause == close_cause::node_lost;
    });
  }

  bool is_lost = false;
};

} // namespace

TEST_CASE("calls are spread over the nodes that have a server", "[nodes]") {
  two_nodes nodes;
  nodes.wait_until_both_answer();
  std::string all;
  for (auto i = 0; i < 6; ++i)
    all += nodes.who();
  CHECK((all == "ababab" || all == "bababa"));
}

TEST_CASE("the share of a lost node goes to the others", "[nodes]") {
  two_nodes nodes;
  nodes.wait_until_both_answer();
  tell(nodes.app.self->ptr(), nodes.server, watch_status{});
  nodes.a.run().signal(SIGKILL);
  nodes.wait_for_loss();
  for (auto i = 0; i < 10; ++i)
    CHECK(nodes.who() == "b");
}

TEST_CASE("what a lost node has seen fails, and is not repeated elsewhere",
          "[nodes]") {
  two_nodes nodes;
  auto call = call_tool("slow", {{"ms", 60'000}, {"steps", 1000}});
  call.options.wants_progress = true;
  auto answer = ask(nodes.app.self->ptr(), nodes.server, call);
  (*nodes.app.self)->receive([](const progress&) {});
  nodes.a.run().signal(SIGKILL);
  std::string outcome;
  std::move(answer).receive([](const payload&) {},
                            [&outcome](const caf::error& error) {
                              outcome
                                = describe(error).data.string_member("outcome");
                            });
  CHECK(outcome == "unknown");
  CHECK(nodes.who() == "b");
}

TEST_CASE("a node that has no such server, or is not there, is passed over",
          "[nodes]") {
  node_host app;
  serving_node other{{"127.0.0.1:0", demo_servers({"other"})}};
  serving_node good;
  auto server = spawn_remote_server(
    app.system,
    std::vector{node_address{"127.0.0.1", 1}, other.address(), good.address()},
    "demo");
  for (auto i = 0; i < 4; ++i)
    value(ask(*app.self, server, call_tool("echo", {{"message", "hi"}})));
  value(ask(*app.self, server, close_connection{}));
}

TEST_CASE("a server that is down on one node is used on another", "[nodes]") {
  node_host app;
  serving_node bad{
    {"127.0.0.1:0",
     R"({"mcpServers": {"demo": {"command": "/bin/false", "max_restarts": 0}}})"}};
  serving_node good;
  bad.run().wait_for_output("listening");
  auto server = spawn_remote_server(
    app.system, std::vector{bad.address(), good.address()}, "demo");
  // The first may fail with the start of the bad one, not the later ones.
  static_cast<void>(ask(*app.self, server, list_all{}));
  for (auto i = 0; i < 4; ++i)
    value(ask(*app.self, server, call_tool("echo", {{"message", "hi"}})));
  value(ask(*app.self, server, close_connection{}));
}

TEST_CASE("when all nodes are lost, a call fails at once", "[nodes]") {
  auto result = run_tool({"--node", "127.0.0.1:1", "--node", "127.0.0.1:2",
                          "--server", "demo", "tools", "--json"});
  CHECK(result.status == 3);
  CHECK_THAT(result.out, ContainsSubstring("node_lost"));
}

TEST_CASE("the tool uses another node if one is not there", "[nodes]") {
  serving_node node;
  auto result
    = run_tool({"--node", "127.0.0.1:1", "--node", to_string(node.address()),
                "--server", "demo", "call", "echo", "message=hi", "--json"});
  CHECK(result.status == 0);
  CHECK_THAT(result.out, ContainsSubstring("\"hi\""));
}
