#pragma once

#include "caf_mcp/actors/nodes.hpp"

#include <cstdio>
#include <string>
#include <sys/types.h>

namespace tests {

/// A process that passes on what goes between a caller and a node, until it is
/// cut: then nothing arrives any more, and nobody is told.
class wire_to_node {
public:
  /// `fault` is one of those of `servers/forward.py`; none if empty.
  explicit wire_to_node(const caf_mcp::node_address& node,
                        const std::string& fault = {});
  ~wire_to_node();

  wire_to_node(const wire_to_node&) = delete;
  wire_to_node& operator=(const wire_to_node&) = delete;

  /// Where the caller finds the node.
  caf_mcp::node_address address() const {
    return {"127.0.0.1", port_, transport_};
  }

  void cut() const;

  void mend() const;

private:
  FILE* output_ = nullptr;
  pid_t pid_ = -1;
  std::uint16_t port_ = 0;
  caf_mcp::node_transport transport_;
};

} // namespace tests
