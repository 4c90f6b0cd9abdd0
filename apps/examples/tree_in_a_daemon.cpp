// Looks after all servers of a configuration file, and calls one by name.
#include "caf_mcp/actors/hub.hpp"

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/event_based_actor.hpp>
#include <caf/scoped_actor.hpp>

#include <iostream>

using namespace caf_mcp;

/// Tells what becomes of the servers; a daemon would write a log.
caf::behavior reporter(caf::event_based_actor* self, const hub& servers) {
  ask(self, servers, watch_servers{}).then([] {}, [](const caf::error&) {});
  return {
    [](const server_changed& event) {
      std::cerr << event.status.name << " is " << to_string(event.status.state)
                << '\n';
    },
  };
}

int main(int argc, char** argv) {
  init_global_meta_objects();
  caf::actor_system_config config;
  caf::actor_system system{config};
  runtime host{system};
  auto file = load_server_config(argc > 1 ? argv[1] : "mcp.json");
  if (!file) {
    std::cerr << describe(file.error()).message << '\n';
    return 2;
  }
  auto servers = spawn_hub(host, std::move(file->servers));
  auto log = system.spawn(reporter, servers); // which lives as long as this

  caf::scoped_actor self{system};
  auto server = ask(self, servers, look_up{argc > 2 ? argv[2] : "demo"});
  if (!server) {
    std::cerr << describe(server.error()).message << '\n';
    return 2;
  }
  auto sum = ask(self, *server, call_tool("add", {{"a", 2}, {"b", 40}}));
  if (!sum) {
    std::cerr << describe(sum.error()).message << '\n';
    return 1;
  }
  std::cout << sum->to_json() << '\n';
}
