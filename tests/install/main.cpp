#include "caf_mcp/actors/client.hpp"
#include "caf_mcp/actors/hub.hpp"
#include "caf_mcp/version.hpp"

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>

#include <iostream>

int main() {
  caf_mcp::init_global_meta_objects();
  caf::actor_system_config config;
  caf::actor_system system{config};
  caf_mcp::runtime runtime{system};
  caf::scoped_actor self{system};
  auto servers
    = ask(self, caf_mcp::spawn_hub(runtime, {}), caf_mcp::get_servers{});
  std::cout << "caf-mcp " << caf_mcp::version << '\n';
  return servers && servers->empty() ? 0 : 1;
}
