#include "tests/support/host.hpp"
#include "tests/support/nodes.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/tool.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <algorithm>
#include <csignal>
#include <string>
#include <vector>

// The tool over all servers of some nodes.

using Catch::Matchers::ContainsSubstring;
using tests::demo_servers;
using tests::only_json;
using tests::run_tool;
using tests::serving_node;

namespace {

/// Takes connections and says nothing.
class silent_node {
public:
  std::string address() const {
    return "127.0.0.1:" + std::to_string(listener_.local_endpoint().port());
  }

  void wait_for_caller() {
    listener_.accept(caller_);
  }

private:
  boost::asio::io_context context_;
  boost::asio::ip::tcp::acceptor listener_{
    context_,
    {boost::asio::ip::address_v4::loopback(), boost::asio::ip::port_type{0}}};
  boost::asio::ip::tcp::socket caller_{context_};
};

/// An address where nobody listens.
std::string closed_address() {
  return silent_node{}.address();
}

std::string address_of(const serving_node& node) {
  return to_string(node.address());
}

/// Runs a command over nodes; returns its document.
boost::json::object ask_nodes(const std::vector<std::string>& nodes,
                              const std::string& command, int status = 0) {
  std::vector<std::string> words{"--json", command};
  for (const auto& each : nodes)
    words.insert(words.end(), {"--node", each});
  const auto result = run_tool(words);
  CHECK(result.status == status);
  return only_json(result.out);
}

/// Returns `NODE NAME` of each, in order.
std::vector<std::string> names_in(const boost::json::array& all) {
  std::vector<std::string> result;
  for (const auto& each : all) {
    const auto* name = each.at("name").if_string();
    result.push_back(std::string{each.at("node").as_string()} + ' '
                     + (name != nullptr ? std::string{*name} : "-"));
  }
  return result;
}

} // namespace

TEST_CASE("the servers of several nodes are one table", "[tool][nodes]") {
  const serving_node a{{"127.0.0.1:0", demo_servers({"x", "y"})}};
  const serving_node b{{"127.0.0.1:0", demo_servers({"x"})}};
  const auto first = address_of(a);
  const auto second = address_of(b);
  const auto document = ask_nodes({first, second}, "status");
  CHECK(names_in(document.at("servers").as_array())
        == std::vector{first + " x", first + " y", second + " x"});
  const auto table = run_tool({"--node", first, "--node", second, "status"});
  CHECK_THAT(table.out, Catch::Matchers::StartsWith("NODE "));
  CHECK_THAT(table.out, ContainsSubstring(second + "  x "));
  CHECK_THAT(run_tool({"--node", first, "status"}).out,
             Catch::Matchers::StartsWith("NAME "));
}

TEST_CASE("a list over nodes waits for servers that start, and names the nodes",
          "[tool][nodes]") {
  const serving_node a{{"127.0.0.1:0", demo_servers({"x", "y"})}};
  const serving_node b{{"127.0.0.1:0", demo_servers({"x"})}};
  const std::vector nodes{address_of(a), address_of(b)};
  const std::vector<std::string> commands{"tools", "resources", "templates",
                                          "prompts"};
  const std::vector<std::string> members{"tools", "resources",
                                         "resourceTemplates", "prompts"};
  for (std::size_t i = 0; i < commands.size(); ++i) {
    CAPTURE(commands[i]);
    const auto document = ask_nodes(nodes, commands[i]);
    CHECK(names_in(document.at("servers").as_array())
          == std::vector{nodes[0] + " x", nodes[0] + " y", nodes[1] + " x"});
    for (const auto& node : nodes)
      CHECK(std::any_of(document.at(members[i]).as_array().begin(),
                        document.at(members[i]).as_array().end(),
                        [&node](const auto& item) {
                          return item.at("node").as_string() == node;
                        }));
    auto words = std::vector<std::string>{commands[i]};
    for (const auto& each : nodes)
      words.insert(words.end(), {"--node", each});
    const auto text = run_tool(words).out;
    for (const auto& node : nodes)
      CHECK_THAT(text, ContainsSubstring("  @" + node + "\n"));
  }
}

TEST_CASE("a node that does not answer costs the others nothing",
          "[tool][nodes]") {
  const serving_node good;
  const silent_node silent;
  const std::vector nodes{closed_address(), silent.address(), address_of(good)};
  for (const auto* command : {"status", "tools"}) {
    CAPTURE(command);
    std::vector<std::string> words{"--json", "--timeout", "3000", command};
    for (const auto& each : nodes)
      words.insert(words.end(), {"--node", each});
    const auto result = run_tool(words);
    CHECK(result.status == 0);
    const auto document = only_json(result.out);
    const auto& rows = document.at("servers").as_array();
    REQUIRE(rows.size() == 3);
    for (std::size_t i = 0; i < 2; ++i) {
      CHECK(rows[i].at("node").as_string() == nodes[i]);
      CHECK(rows[i].at("state").as_string() == "unreachable");
      CHECK(rows[i].at("error").at("name").as_string() == "connection_closed");
      CHECK_THAT(rows[i].at("error").at("message").as_string().c_str(),
                 ContainsSubstring(nodes[i]));
    }
    CHECK(rows[2].at("state").as_string() == "ready");
    if (std::string_view{command} == "tools") {
      CHECK_FALSE(document.at("tools").as_array().empty());
      CHECK_THAT(result.err, ContainsSubstring(nodes[1] + ": "));
    }
  }
}

TEST_CASE("a command over nodes of which none answers ends with 3",
          "[tool][nodes]") {
  for (const auto* command : {"status", "tools"})
    CHECK(
      ask_nodes({closed_address()}, command, 3).at("servers").as_array().size()
      == 1);
}

TEST_CASE("lists over nodes show nothing that a node hides", "[tool][nodes]") {
  const serving_node node{
    {"127.0.0.1:0",
     boost::json::serialize(boost::json::value{
       {"mcpServers",
        {{"open",
          {{"command", tests::binary("demo-server")},
           {"tools", {{"deny", boost::json::array{"echo"}}}}}},
         {"hidden",
          {{"command", tests::binary("demo-server")}, {"remote", false}}},
         {"broken", {{"command", "/no/such/place"}}}}}})}};
  const auto address = address_of(node);
  for (const auto* command : {"status", "tools"}) {
    std::vector<std::string> words{"--json", "--node", address, command};
    const auto result = run_tool(words);
    CHECK(result.status == 0);
    CHECK_THAT(result.out, !ContainsSubstring("hidden"));
    CHECK_THAT(result.out, !ContainsSubstring("/no/such/place"));
    CHECK_THAT(result.out + result.err, !ContainsSubstring("open/echo"));
    CHECK_THAT(result.out, ContainsSubstring("command_not_found"));
  }
}

TEST_CASE("status of one server of a node is about that alone",
          "[tool][nodes]") {
  const serving_node node{{"127.0.0.1:0", demo_servers({"x", "y"})}};
  const auto address = address_of(node);
  auto result
    = run_tool({"--json", "--node", address, "--server", "y", "status"});
  CHECK(names_in(only_json(result.out).at("servers").as_array())
        == std::vector{address + " y"});
  result = run_tool({"--json", "--node", address, "--server", "z", "status"});
  CHECK(result.status == 3);
  CHECK_THAT(result.out, ContainsSubstring("not_found"));
}

TEST_CASE("status cannot watch nodes, and serve is not for them",
          "[tool][nodes]") {
  auto result = run_tool({"--node", "127.0.0.1:1", "status", "--watch"});
  CHECK(result.status == 2);
  CHECK_THAT(result.err, ContainsSubstring("watch: cannot be used"));
  result
    = run_tool({"--node", "127.0.0.1:1", "serve", "--listen", "127.0.0.1:0"});
  CHECK(result.status == 2);
}

TEST_CASE("a command over nodes that are silent ends when it is told to",
          "[tool][nodes]") {
  silent_node silent;
  tests::tool_run run{{"--node", silent.address(), "status"}};
  silent.wait_for_caller();
  run.signal(SIGTERM);
  const auto result = run.finish();
  CHECK(result.status == 130);
  CHECK(result.elapsed < std::chrono::seconds{8});
}

TEST_CASE("a time limit that a silent node lets pass blames the node",
          "[tool][nodes]") {
  const silent_node silent;
  const silent_node other;
  auto result = run_tool({"--timeout", "500", "--node", silent.address(),
                          "--server", "demo", "ping"});
  CHECK(result.status == 5);
  CHECK_THAT(result.err, ContainsSubstring("the node at " + silent.address()
                                           + " did not answer"));
  CHECK_THAT(result.err, !ContainsSubstring("the server"));
  result = run_tool({"--timeout", "500", "--node", silent.address(), "--node",
                     other.address(), "--server", "demo", "ping"});
  CHECK_THAT(result.err, ContainsSubstring(silent.address() + ", "
                                           + other.address() + " answered"));
}

TEST_CASE("who talks in the clear to a node that wants TLS is told so in words",
          "[tool][nodes]") {
  const serving_node node;
  const auto address = address_of(node);
  for (const auto& words : std::vector<std::vector<std::string>>{
         {"--insecure", "--node", address, "--server", "demo", "ping"},
         {"--insecure", "--node", address, "tools"}}) {
    const auto result = run_tool(words);
    CHECK(result.status == 3);
    CHECK_THAT(result.err, ContainsSubstring("talks by TLS"));
    CHECK_THAT(result.err, !ContainsSubstring("sec::"));
  }
}
