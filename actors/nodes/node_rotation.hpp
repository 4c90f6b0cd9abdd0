#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <set>
#include <vector>

namespace caf_mcp {

/// Spreads calls over nodes, one after the other. A node that has failed is
/// left out for a while, unless no other is left. Nodes are numbered from 0.
class node_rotation {
public:
  using time_point = std::chrono::steady_clock::time_point;

  /// How long a node that has failed is left out.
  static constexpr std::chrono::seconds rest{5};

  explicit node_rotation(std::size_t nodes) : failed_at_(nodes) {
    // nop
  }

  /// Returns the node for a call that was given to `tried` in vain; nothing if
  /// these are all.
  std::optional<std::size_t> next(const std::set<std::size_t>& tried,
                                  time_point now);

  /// The node was lost, cannot be reached, or does not offer the server.
  void on_failed(std::size_t node, time_point now) {
    failed_at_[node] = now;
  }

  /// The node answers.
  void on_ready(std::size_t node) {
    failed_at_[node].reset();
  }

private:
  std::vector<std::optional<time_point>> failed_at_;
  std::size_t turn_ = 0;
};

} // namespace caf_mcp
