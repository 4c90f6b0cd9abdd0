#include "caf_mcp/actors/connection/protocol_violations.hpp"

#include <bit>

namespace caf_mcp {

std::optional<std::uint64_t>
protocol_violations::add(protocol_violation which) {
  const auto count = ++counts_[static_cast<std::size_t>(which)];
  const auto is_told = which == protocol_violation::coerced_id
                         ? count == 1
                         : std::has_single_bit(count);
  return is_told ? std::optional{count} : std::nullopt;
}

} // namespace caf_mcp
