#pragma once

#include "caf_mcp/actors/hub/hub.hpp"
#include "caf_mcp/actors/hub/node.hpp"
#include "caf_mcp/actors/hub/tls.hpp"

#include "tests/support/scratch_directory.hpp"
#include "tests/support/tool.hpp"

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/scoped_actor.hpp>

#include <optional>
#include <string>
#include <vector>

namespace tests {

/// The configuration of a node: of this process, with or without TLS. Notices
/// within two seconds that another node has stopped.
struct node_config : caf::actor_system_config {
  explicit node_config(const std::optional<caf_mcp::tls_credentials>& tls
                       = std::nullopt);
};

/// This process as a node. After the test, no child must be left.
class node_host {
public:
  explicit node_host(std::optional<caf_mcp::tls_credentials> tls
                     = std::nullopt);
  ~node_host();

  node_host(const node_host&) = delete;
  node_host& operator=(const node_host&) = delete;

  std::optional<caf_mcp::tls_credentials> tls;
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

  /// Where it listens, without TLS.
  const caf_mcp::node_address& address() const {
    return address_;
  }

  tool_run& run() {
    return *run_;
  }

private:
  caf_mcp::test::scratch_directory directory_;
  std::optional<tool_run> run_;
  caf_mcp::node_address address_;
};

} // namespace tests
