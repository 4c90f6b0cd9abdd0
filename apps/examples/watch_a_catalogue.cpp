// Keeps a list of the tools of all servers of a configuration file up to date.
#include "caf_mcp/actors/hub.hpp"

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/event_based_actor.hpp>
#include <caf/scoped_actor.hpp>

#include <iostream>
#include <map>
#include <string>

using namespace caf_mcp;

struct tool_list {
  std::map<std::string, payload> tools; // by qualified name

  void apply(const catalogue_changed& message) {
    for (const auto& server : message.servers)
      for (const auto& each : server.items)
        if (each.kind == list_kind::tools) {
          if (each.what == item_change::removed)
            tools.erase(each.name);
          else
            tools[each.name] = each.item;
        }
  }
};

/// Prints the tools of all servers whenever they change.
caf::behavior tool_printer(caf::event_based_actor* self, const hub& servers) {
  ask(self, servers, watch_catalogue{}).then([] {}, [](const caf::error&) {});
  return {
    [list = tool_list{}](const catalogue_changed& message) mutable {
      list.apply(message);
      std::cout << list.tools.size() << " tools\n";
      for (const auto& [name, tool] : list.tools)
        std::cout << "  " << name << '\n';
      std::cout << std::flush;
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
  auto printer = system.spawn(tool_printer, servers);
  std::cin.get(); // until the end of stdin
}
