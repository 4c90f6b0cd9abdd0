#pragma once

#include "caf_mcp/actors/client.hpp"
#include "caf_mcp/actors/nodes.hpp"

#include "diagnostics.hpp"

#include <string>
#include <string_view>
#include <utility>

namespace caf_mcp::tool {

/// What a command over all servers of some nodes talks to.
class nodes_session {
public:
  nodes_session(caf::scoped_actor& self, node_survey nodes,
                std::string server_name, diagnostics& console)
    : self_{self},
      nodes_{std::move(nodes)},
      server_name_{std::move(server_name)},
      console_{console} {
    // nop
  }

  /// Asks all nodes, and waits for the answers. Once.
  template <class Message>
  caf::expected<payload> ask(Message message) {
    return caf_mcp::ask(self_, nodes_, std::move(message));
  }

  /// Returns which server alone the command is about; empty if all.
  const std::string& server_name() const noexcept {
    return server_name_;
  }

  void warn(std::string_view text) {
    console_.warn(text);
  }

private:
  caf::scoped_actor& self_;
  node_survey nodes_;
  std::string server_name_;
  diagnostics& console_;
};

} // namespace caf_mcp::tool
