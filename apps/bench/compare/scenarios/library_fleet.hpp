// Many connections of one host.
#pragma once

#include "apps/bench/compare/clients/library_host.hpp"

#include <cstddef>
#include <vector>

namespace bench {

/// An actor system, a runtime and connections that are ready.
class library_fleet {
public:
  library_fleet(const client_options& options, std::size_t count);

  caf::actor_system& system() noexcept {
    return system_;
  }

  const std::vector<caf_mcp::connection>& servers() const noexcept {
    return servers_;
  }

  /// Makes one request at a time from an event-based actor, each to the server
  /// of that number. Returns how long each took.
  std::vector<clock::duration> tour(const std::vector<std::size_t>& order);

  /// Makes `each` with all servers at the same time, by an event-based actor
  /// with a pipeline for each server. Returns what that took.
  clock::duration run(const load& each);

private:
  caf::actor_system_config config_;
  caf::actor_system system_;
  caf_mcp::runtime runtime_;
  std::vector<caf_mcp::connection> servers_;
};

} // namespace bench
