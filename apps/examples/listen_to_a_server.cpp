// Prints what an MCP server reports unasked: here, that its tools changed.
#include "caf_mcp/actors/client.hpp"

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/scoped_actor.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <iostream>

using namespace caf_mcp;

subscription_listener::behavior_type
printer(subscription_listener::pointer self, const connection& server) {
  return {
    [](const subscription_accepted&) { std::cout << "accepted" << std::endl; },
    [self, server](const subscription_event& x) {
      std::cout << to_string(x.event.kind) << ' ' << x.event.uri << std::endl;
      tell(self, server, grant_events{x.id, 1}); // one more
    },
    [](const events_dropped& x) {
      std::cout << x.count << " events were dropped" << std::endl;
    },
    [](const subscription_resumed&) { std::cout << "resumed" << std::endl; },
    [self](const subscription_closed& x) {
      std::cout << "closed: " << describe(x.error).message << std::endl;
      self->quit();
    },
  };
}

int main(int argc, char** argv) {
  init_global_meta_objects();
  caf::actor_system_config config;
  caf::actor_system system{config};
  runtime host{system};
  caf::scoped_actor self{system};

  server_options options;
  options.command = argc > 1 ? argv[1] : "demo-server";
  auto server = spawn_connection(host, options);
  if (!server)
    return 2;
  listen_filter filter;
  filter.tools = true;
  auto owner
    = caf::actor_cast<caf::strong_actor_ptr>(system.spawn(printer, *server));
  if (!ask(self, *server, caf_mcp::listen{filter, {}, owner}))
    return 1;
  ask(self, *server, call_tool("touch", {{"list", "tools"}}));
  ask(self, *server, close_connection{});
}
