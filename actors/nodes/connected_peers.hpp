#pragma once

#include "caf_mcp/actors/nodes/peer_frames.hpp"

#include <caf/fwd.hpp>

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <string>

namespace caf_mcp {

/// Which peer is behind a node that is connected: the one that has proved who
/// it is. Without TLS, nodes are all that tells peers apart. Any thread.
class connected_peers {
public:
  using node = peer_frames::node_id;

  /// Returns those of this process.
  static connected_peers& shared();

  /// Notes who has introduced itself as `which`, until what is returned is
  /// gone. `identity` is empty without TLS. Of two at once, the first counts.
  std::shared_ptr<void> add(const node& which, std::string identity);

  /// Returns what is the same for all nodes of one peer.
  std::string identity_of(const node& which);

private:
  void remove(const node& which);

  struct known {
    std::string identity;
    std::size_t connections = 0;
  };

  std::mutex mutex_;
  std::map<node, known> known_;
};

/// Returns the id of a node as CAF writes it; zeros if it is none of a process.
peer_frames::node_id bytes_of(caf::actor_system& system,
                              const caf::node_id& which);

} // namespace caf_mcp
