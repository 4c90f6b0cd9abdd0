// Starts an MCP server, lists its tools and calls one, from a thread that
// waits.
#include "caf_mcp/actors/client.hpp"

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/scoped_actor.hpp>

#include <iostream>

int main(int argc, char** argv) {
  caf_mcp::init_global_meta_objects();
  caf::actor_system_config config;
  caf::actor_system system{config};
  caf_mcp::runtime runtime{system};
  caf::scoped_actor self{system};

  caf_mcp::server_options options;
  options.command = argc > 1 ? argv[1] : "demo-server";
  auto server = caf_mcp::spawn_connection(runtime, options);
  if (!server) {
    std::cerr << caf_mcp::describe(server.error()).message << '\n';
    return 2;
  }
  auto sum
    = ask(self, *server, caf_mcp::call_tool("add", {{"a", 2}, {"b", 40}}));
  if (!sum) {
    std::cerr << caf_mcp::describe(sum.error()).message << '\n';
    return 1;
  }
  std::cout << sum->to_json() << '\n';
}
