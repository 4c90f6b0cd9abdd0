#include "caf_mcp/actors/state/oddities.hpp"

#include <bit>

namespace caf_mcp {

std::optional<std::uint64_t> oddities::add(oddity which) {
  const auto count = ++counts_[static_cast<std::size_t>(which)];
  const auto is_told
    = which == oddity::bent_id ? count == 1 : std::has_single_bit(count);
  return is_told ? std::optional{count} : std::nullopt;
}

} // namespace caf_mcp
