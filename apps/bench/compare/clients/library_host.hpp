// What every client that uses the library needs.
#pragma once

#include "caf_mcp/actors/connection.hpp"
#include "caf_mcp/actors/runtime.hpp"

#include "client.hpp"

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>

namespace bench {

/// Returns `config` with the settings of the command line.
caf::actor_system_config& set_up(caf::actor_system_config& config,
                                 const client_options& options);

/// Returns how all clients that use the library start the server.
caf_mcp::server_options start_options(const client_options& options,
                                      std::vector<std::string> args = {});

/// An actor system, a runtime and a connection that is ready. Ends all of them,
/// so that no idle thread disturbs what is measured next.
class library_host {
public:
  explicit library_host(const client_options& options,
                        std::vector<std::string> server_args = {});

  /// Returns the loop of the connection, the only one there is.
  std::shared_ptr<caf_mcp::io_loop> loop() noexcept {
    return runtime_.next_loop();
  }

  caf::actor_system& system() noexcept {
    return system_;
  }

  const caf_mcp::connection& server() const noexcept {
    return server_;
  }

private:
  caf::actor_system_config config_;
  caf::actor_system system_;
  caf_mcp::runtime runtime_;
  caf_mcp::connection server_;
};

} // namespace bench
