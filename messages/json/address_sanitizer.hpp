#pragma once

namespace caf_mcp {

/// Whether the address sanitizer watches. It sees only what goes back to where
/// it came from: nothing is kept for later then.
#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool is_address_sanitized = true;
#elif defined(__has_feature)
#  if __has_feature(address_sanitizer)
inline constexpr bool is_address_sanitized = true;
#  else
inline constexpr bool is_address_sanitized = false;
#  endif
#else
inline constexpr bool is_address_sanitized = false;
#endif

} // namespace caf_mcp
