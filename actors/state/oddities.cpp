#include "caf_mcp/actors/state/oddities.hpp"

#include <bit>

namespace caf_mcp {

std::optional<std::uint64_t> oddities::add(oddity kind) noexcept {
  auto count = ++counts_[static_cast<std::size_t>(kind)];
  // One warning a connection: it works, and will not change.
  if (kind == oddity::bent_id && count > 1)
    return std::nullopt;
  if (!std::has_single_bit(count))
    return std::nullopt;
  return count;
}

} // namespace caf_mcp
