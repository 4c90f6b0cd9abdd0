#include "caf_mcp/actors/nodes/node_rotation.hpp"

namespace caf_mcp {

std::optional<std::size_t>
node_rotation::next(const std::set<std::size_t>& tried, time_point now) {
  std::optional<std::size_t> resting;
  for (std::size_t i = 0; i < failed_at_.size(); ++i) {
    const auto node = (turn_ + i) % failed_at_.size();
    if (tried.contains(node))
      continue;
    const auto& failed_at = failed_at_[node];
    if (!failed_at || now - *failed_at >= rest) {
      turn_ = node + 1;
      return node;
    }
    resting = resting.value_or(node);
  }
  return resting;
}

} // namespace caf_mcp
