#pragma once

#include "caf_mcp/actors/tls.hpp"

#include <caf/actor_system_config.hpp>
#include <caf/io/middleman.hpp>
#include <caf/timespan.hpp>

#include <chrono>
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
    set("caf.middleman.heartbeat-interval", heartbeat_interval);
    set("caf.middleman.connection-timeout", silence_max);
  }

private:
  /// So often this node says that it lives.
  static constexpr caf::timespan heartbeat_interval = std::chrono::seconds{1};

  /// After this, a node that says nothing is lost.
  static constexpr caf::timespan silence_max = std::chrono::seconds{10};

  /// The one thread that waits needs no more than one that acts, and a spare.
  static constexpr std::size_t scheduler_threads = 2;
};

} // namespace caf_mcp::tool
