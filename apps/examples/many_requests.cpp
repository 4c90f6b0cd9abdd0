// Keeps many requests in flight from one actor, through a pipeline.
#include "caf_mcp/actors/client.hpp"
#include "caf_mcp/actors/pipeline.hpp"

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/event_based_actor.hpp>
#include <caf/scoped_actor.hpp>

#include <iostream>

using caf_mcp::payload;

class summer : public caf::event_based_actor {
public:
  summer(caf::actor_config& cfg, const caf_mcp::connection& server)
    : caf::event_based_actor{cfg}, requests_{this, server} {
    // nop
  }

  caf::behavior make_behavior() override {
    for (auto i = 0; i < 1000; ++i)
      requests_.ask(
        caf_mcp::call_tool("add", {{"a", i}, {"b", 1}}),
        [this](const payload& result) { on_answer(result.value()); },
        [this](const caf::error& error) {
          std::cerr << caf_mcp::describe(error).message << '\n';
          quit();
        });
    return {}; // lives on until its last answer
  }

private:
  void on_answer(const boost::json::value& result) {
    sum_ += std::stoi(result.at_pointer("/content/0/text").as_string().c_str());
    if (++answers_ == 1000)
      std::cout << sum_ << '\n';
  }

  caf_mcp::pipeline<> requests_;
  int answers_ = 0;
  int sum_ = 0;
};

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
  self->wait_for(self->spawn<summer>(*server));
}
