#include "tests/support/nodes.hpp"

#include "caf_mcp/actors/hub.hpp"
#include "caf_mcp/actors/hub/interfaces.hpp"
#include "caf_mcp/actors/nodes.hpp"

#include "tests/support/host.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/pipeline_caller.hpp"
#include "tests/support/scratch_directory.hpp"
#include "tests/support/tool.hpp"
#include "tests/support/wait_until.hpp"

#include <caf/sec.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <csignal>

using namespace caf_mcp;
using Catch::Matchers::ContainsSubstring;
using tests::demo_servers;
using tests::failure;
using tests::node_host;
using tests::only_json;
using tests::run_tool;
using tests::scratch_directory;
using tests::serving_node;
using tests::tool_run;
using tests::value;

namespace {

caf::expected<payload> echo(node_host& app, const connection& server) {
  return ask(*app.self, server, call_tool("echo", {{"message", "hi"}}));
}

} // namespace

TEST_CASE("a server of another node is called by name", "[nodes]") {
  serving_node node;
  auto result = run_tool({"--node", to_string(node.address()), "--server",
                          "demo", "call", "echo", "message=hi", "--json"});
  CHECK(result.status == 0);
  CHECK_THAT(result.out, ContainsSubstring("\"hi\""));
  node.run().signal(SIGTERM);
  CHECK(node.run().finish().status == 0);
}

TEST_CASE("a pipeline reaches a server of another node", "[nodes]") {
  node_host app;
  std::optional<serving_node> node{std::in_place};
  auto server = spawn_remote_server(app.system, node->address(), "demo");
  tests::answers expected;
  for (auto i = 0; i < 300; ++i)
    expected.push_back(std::to_string(i));
  CHECK(tests::start_pipeline(app.system, server, tests::echoes(300), 50).get()
        == expected);
  const std::vector<send_request> slow(100,
                                       call_tool("slow", {{"ms", 60'000}}));
  auto lost = tests::start_pipeline(app.system, server, slow, 100);
  node->run().signal(SIGKILL);
  CHECK(lost.get() == tests::answers(100, "connection_closed"));
  value(ask(*app.self, server, close_connection{}));
}

TEST_CASE("a server that the other node does not know is not found",
          "[nodes]") {
  serving_node node;
  auto result = run_tool({"--node", to_string(node.address()), "--server",
                          "mail", "tools", "--json"});
  CHECK(result.status == 2);
  auto error = only_json(result.out).at("error").as_object();
  CHECK(error.at("name") == "not_found");
  CHECK_THAT(std::string{error.at("message").as_string()},
             ContainsSubstring("\"demo\""));
}

TEST_CASE("a node that is not there fails the call at once", "[nodes]") {
  auto result = run_tool(
    {"--node", "127.0.0.1:1", "--server", "demo", "tools", "--json"});
  CHECK(result.status == 3);
  auto error = only_json(result.out).at("error").as_object();
  CHECK(error.at("name") == "connection_closed");
  CHECK(error.at("data").at("reason") == "node_lost");
  CHECK(result.elapsed < std::chrono::seconds{5});
}

TEST_CASE("a node that is killed fails what runs, and a new one is used",
          "[nodes]") {
  node_host app;
  std::optional<serving_node> node{std::in_place};
  const auto address = node->address();
  auto server = spawn_remote_server(app.system, address, "demo");
  value(ask(*app.self, server, open_connection{}));
  auto message = call_tool("slow", {{"ms", 60'000}, {"steps", 1000}});
  message.options.wants_progress = true;
  message.options.tag = 7;
  auto answer = ask(app.self->ptr(), server, message);
  (*app.self)->receive([](const progress& report) { CHECK(report.tag == 7); });
  node->run().signal(SIGKILL);
  std::optional<error_info> error;
  std::move(answer).receive(
    [](const payload&) {},
    [&error](const caf::error& x) { error = describe(x); });
  REQUIRE(error);
  CHECK(error->name == "connection_closed");
  CHECK(error->data.string_member("reason") == "node_lost");
  CHECK(error->data.string_member("outcome") == "unknown");
  CHECK(failure(echo(app, server)).data.string_member("reason") == "node_lost");
  node.reset();
  serving_node next{{to_string(address)}};
  value(echo(app, server));
}

TEST_CASE("what a killed caller has asked for is cancelled on the server",
          "[nodes]") {
  node_host app;
  server_entry entry;
  entry.name = "demo";
  entry.options = tests::host::program("demo-server");
  auto servers = spawn_hub(*app.runtime, {entry});
  auto port = value(publish_hub(app.system, servers, {"127.0.0.1", 0}));
  auto in_flight = [&app, &servers] {
    return value(ask(*app.self, servers, get_servers{})).at(0).in_flight;
  };
  tool_run caller{{"--node", "127.0.0.1:" + std::to_string(port), "--server",
                   "demo", "call", "slow", "ms:=60000"}};
  CHECK(tests::wait_until([&] { return in_flight() == 1; }));
  SECTION("by SIGKILL") {
    caller.signal(SIGKILL);
  }
  SECTION("by SIGINT") {
    caller.signal(SIGINT);
  }
  CHECK(tests::wait_until([&] { return in_flight() == 0; }));
  caller.finish();
  auto status = value(ask(*app.self, servers, get_servers{})).at(0);
  CHECK(status.state == server_state::ready);
  CHECK(status.restarts == 0);
}

TEST_CASE("a call to another node is cancelled by its tag", "[nodes]") {
  node_host app;
  serving_node node;
  auto server = spawn_remote_server(app.system, node.address(), "demo");
  auto message = call_tool("slow", {{"ms", 60'000}});
  message.options.tag = 3;
  auto answer = ask(app.self->ptr(), server, message);
  value(ask(*app.self, server, open_connection{}));
  tell(*app.self, server, cancel_request{3, "enough"});
  std::string name;
  std::move(answer).receive(
    [](const payload&) {},
    [&name](const caf::error& error) { name = describe(error).name; });
  CHECK(name == "cancelled");
  value(echo(app, server));
}

TEST_CASE("another node can neither stop nor restart a server", "[nodes]") {
  node_host app;
  serving_node node;
  auto port = node.address().port;
  auto there = connect_gateway(app.system, {"127.0.0.1", port});
  REQUIRE(there);
  auto server = value(ask(*app.self, *there, look_up{"demo"}));
  auto forged = caf::actor_cast<supervisor>(server);
  auto stopped = ask(*app.self, forged, stop_server{});
  REQUIRE_FALSE(stopped);
  CHECK(stopped.error() == caf::sec::unexpected_message);
  auto forged_hub = caf::actor_cast<hub>(*there);
  CHECK_FALSE(ask(*app.self, forged_hub, remove_server{"demo"}));
  CHECK(tests::wait_until([&] {
    auto list = value(ask(*app.self, *there, get_catalogue{})).to_json();
    return list.find("demo/echo") != std::string::npos;
  }));
  CHECK(value(ask(*app.self, *there, get_servers{})).size() == 1);
}

TEST_CASE("info waits for a server of another node that is starting",
          "[nodes]") {
  serving_node node{
    {"127.0.0.1:0", R"({"mcpServers": {"late": {"command": ")"
                      + tests::binary("demo-server")
                      + R"(", "args": ["--discover-delay", "1000"]}}})"}};
  auto result = run_tool({"--node", to_string(node.address()), "--server",
                          "late", "info", "--json"});
  CHECK(result.status == 0);
  CHECK(only_json(result.out).at("era") == "modern");
}

TEST_CASE("a server of another node that cannot start fails who waits for it",
          "[nodes]") {
  serving_node node{
    {"127.0.0.1:0",
     R"({"mcpServers": {"bad": {"command": "/bin/false", "start": "lazy"}}})"}};
  auto result = run_tool(
    {"--node", to_string(node.address()), "--server", "bad", "info", "--json"});
  CHECK(result.status == 3);
  auto error = only_json(result.out).at("error").as_object();
  CHECK(error.at("data").at("reason") == "exit_status");
}

TEST_CASE("a node starts a lazy server when it is first asked", "[nodes]") {
  node_host app;
  serving_node node{{"127.0.0.1:0", R"({"mcpServers": {"late": {"command": ")"
                                      + tests::binary("demo-server")
                                      + R"(", "start": "lazy"}}})"}};
  auto there = connect_gateway(app.system, node.address());
  REQUIRE(there);
  auto status = [&] { return value(ask(*app.self, *there, get_servers{})); };
  CHECK(status().at(0).state == server_state::idle);
  value(ask(*app.self, *there, get_catalogue{}));
  CHECK(status().at(0).state == server_state::idle);
  auto result = run_tool({"--node", to_string(node.address()), "--server",
                          "late", "call", "echo", "message=hi"});
  CHECK(result.status == 0);
  CHECK(status().at(0).state == server_state::ready);
}

TEST_CASE("a tool of another node is called by its qualified name", "[nodes]") {
  serving_node node{{"127.0.0.1:0", demo_servers({"a/b", "c"})}};
  auto result = run_tool({"--node", to_string(node.address()), "call",
                          "a%2Fb/echo", "message=hi", "--json"});
  CHECK(result.status == 0);
  CHECK_THAT(result.out, ContainsSubstring("\"hi\""));
}

TEST_CASE("other machines are let in only when that is asked for", "[nodes]") {
  scratch_directory directory;
  auto config = directory.write("mcp.json", demo_servers());
  auto refused = run_tool(
    {"--config", config, "serve", "--listen", "0.0.0.0:0", "--json"});
  CHECK(refused.status == 2);
  CHECK_THAT(refused.err, ContainsSubstring("--insecure"));
  tool_run allowed{
    {"--config", config, "serve", "--listen", "0.0.0.0:0", "--insecure"}};
  allowed.wait_for_output("listening at 0.0.0.0:");
  allowed.signal(SIGTERM);
  CHECK(allowed.finish().status == 0);
}

TEST_CASE("a node that is told to end does so without an error, and says no "
          "more",
          "[nodes]") {
  serving_node node;
  const auto shown = node.run().shown();
  node.run().signal(SIGTERM);
  const auto result = node.run().finish();
  CHECK(result.status == 0);
  CHECK(result.out == shown);
  CHECK(result.err.empty());
}
