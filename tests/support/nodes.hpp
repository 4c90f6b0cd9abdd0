#pragma once

#include "caf_mcp/actors/hub.hpp"
#include "caf_mcp/actors/nodes.hpp"
#include "caf_mcp/actors/tls.hpp"

#include "tests/support/scratch_directory.hpp"
#include "tests/support/tool.hpp"

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/scoped_actor.hpp>
#include <caf/timespan.hpp>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace tests {

/// How long a node of a test waits for another one that is silent.
inline constexpr caf::timespan short_patience = std::chrono::seconds{2};

/// The configuration of a node: of this process.
struct node_config : caf::actor_system_config {
  explicit node_config(const caf_mcp::tls_credentials& tls,
                       caf::timespan patience = short_patience);
};

/// This process as a node. After the test, no child must be left.
class node_host {
public:
  /// With the credentials of the user.
  explicit node_host(caf::timespan patience = short_patience);
  explicit node_host(caf_mcp::tls_credentials tls,
                     caf::timespan patience = short_patience);
  ~node_host();

  node_host(const node_host&) = delete;
  node_host& operator=(const node_host&) = delete;

  caf_mcp::tls_credentials tls;
  node_config config;
  caf::actor_system system;
  std::optional<caf_mcp::runtime> runtime;
  std::optional<caf::scoped_actor> self;
};

/// A configuration with the demo server under each name, `demo` if none is
/// given.
std::string demo_servers(const std::vector<std::string>& names = {"demo"});

/// A node in a process of its own: `caf-mcp serve`.
class serving_node {
public:
  struct setup {
    std::string listen = "127.0.0.1:0";
    std::string servers = demo_servers();
    /// More options of the tool.
    std::vector<std::string> options = {};
  };

  explicit serving_node(const setup& how);

  serving_node() : serving_node{setup{}} {
    // nop
  }

  /// Where it listens; by TLS unless it was told `--insecure`.
  const caf_mcp::node_address& address() const {
    return address_;
  }

  tool_run& run() {
    return *run_;
  }

private:
  tests::scratch_directory directory_;
  std::optional<tool_run> run_;
  caf_mcp::node_address address_;
};

} // namespace tests
