// Calls a tool from an event-based actor, which never waits.
#include "caf_mcp/actors/client.hpp"

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/event_based_actor.hpp>
#include <caf/scoped_actor.hpp>

#include <iostream>

caf::behavior greeter(caf::event_based_actor* self,
                      const caf_mcp::connection& server) {
  ask(self, server, caf_mcp::call_tool("echo", {{"message", "hello"}}))
    .then(
      [self](const caf_mcp::payload& result) {
        std::cout << result.to_json() << '\n';
        self->quit();
      },
      [self](const caf::error& error) {
        std::cerr << caf_mcp::describe(error).message << '\n';
        self->quit();
      });
  return {};
}

int main(int argc, char** argv) {
  caf_mcp::init_global_meta_objects();
  caf::actor_system_config config;
  caf::actor_system system{config};
  caf_mcp::runtime runtime{system};

  caf_mcp::server_options options;
  options.command = argc > 1 ? argv[1] : "demo-server";
  auto server = caf_mcp::spawn_connection(runtime, options);
  if (!server)
    return 2;
  caf::scoped_actor self{system};
  self->wait_for(self->spawn(greeter, *server));
}
