#pragma once

#include "caf_mcp/actors/connection/connection_actor.hpp"

#include <caf/actor_system.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <memory>
#include <utility>

namespace tests {

/// Returns a factory of ports without a process, whose server the holder of
/// `record` plays. A record is told of what the connection does by
/// `on_start(config)`, `on_write(message)` and `on_stop(generation)`, which
/// says whether that port has yet to report that it is closed.
template <class Record>
caf_mcp::port_factory played_ports(std::shared_ptr<Record> record) {
  using namespace caf_mcp;
  return [record](caf::actor_system& system, const std::shared_ptr<io_loop>&,
                  port_config config) -> port {
    record->on_start(config);
    return system.spawn([record, config = std::move(config)](
                          port::pointer self) -> port::behavior_type {
      self->link_to(config.listener);
      return {
        [record](const port_write& message) { record->on_write(message); },
        [=](const port_stop&) {
          if (record->on_stop(config.generation))
            caf_version::tell(self, config.listener,
                              port_closed{config.generation, {}, 0, {}});
          self->quit();
        },
        [](port_done) {},
      };
    });
  };
}

} // namespace tests
