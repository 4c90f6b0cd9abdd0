// Two nodes: `serve MCP.JSON` hosts the servers of a file and prints its port,
// `call PORT SERVER` uses one of them from another process of the same user.
#include "caf_mcp/actors/hub.hpp"
#include "caf_mcp/actors/nodes.hpp"
#include "caf_mcp/actors/tls.hpp"

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/scoped_actor.hpp>

#include <iostream>
#include <string>

using namespace caf_mcp;

int serve(caf::actor_system& system, const std::string& file) {
  runtime host{system};
  auto config = load_server_config(file);
  if (!config)
    return 2;
  auto servers = spawn_hub(host, std::move(config->servers));
  auto port = publish_hub(system, servers, {"127.0.0.1", 0});
  if (!port)
    return 2;
  std::cout << *port << std::endl;
  std::cin.get(); // until stdin is closed
  return 0;
}

int call(caf::actor_system& system, node_address where, std::string name) {
  auto server = spawn_remote_server(system, std::move(where), std::move(name));
  caf::scoped_actor self{system};
  auto sum = ask(self, server, call_tool("add", {{"a", 2}, {"b", 40}}));
  ask(self, server, close_connection{});
  if (!sum) {
    std::cerr << describe(sum.error()).message << '\n';
    return 1;
  }
  std::cout << sum->to_json() << '\n';
  return 0;
}

int main(int argc, char** argv) {
  init_global_meta_objects_of_nodes();
  auto credentials = tls_credentials::of_user();
  if (!credentials) {
    std::cerr << describe(credentials.error()).message << '\n';
    return 2;
  }
  caf::actor_system_config config;
  credentials->load_into(config);
  caf::actor_system system{config};
  const std::string role = argc > 1 ? argv[1] : "";
  if (role == "serve" && argc == 3)
    return serve(system, argv[2]);
  if (role == "call" && argc == 4)
    return call(system,
                {"127.0.0.1", static_cast<std::uint16_t>(std::stoi(argv[2]))},
                argv[3]);
  std::cerr << "usage: two-nodes serve MCP.JSON | call PORT SERVER\n";
  return 2;
}
