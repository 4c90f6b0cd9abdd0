#pragma once

#include "caf_mcp/actors/hub/tls.hpp"

#include <caf/actor_system_config.hpp>
#include <caf/io/middleman.hpp>

#include <cstddef>
#include <optional>

namespace caf_mcp::tool {

/// The actor system of the tool; small, for it lives for one command.
class tool_config : public caf::actor_system_config {
public:
  tool_config() {
    set("caf.scheduler.policy", "sharing"); // which does not poll
    set("caf.scheduler.max-threads", scheduler_threads);
  }

  /// Makes the system able to talk to other nodes; `credentials` outlive it.
  void load_network(const std::optional<tls_credentials>& credentials) {
    if (credentials)
      credentials->load_into(*this);
    else
      load<caf::io::middleman>();
  }

private:
  /// The one thread that waits needs no more than one that acts, and a spare.
  static constexpr std::size_t scheduler_threads = 2;
};

} // namespace caf_mcp::tool
