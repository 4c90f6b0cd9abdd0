#pragma once

#include <cstdint>

namespace caf_mcp {

/// The family of operating systems a rule holds for. Passed as an argument, so
/// that each rule can be tested on every system.
enum class platform : std::uint8_t { posix, windows };

#ifdef _WIN32
inline constexpr auto host_platform = platform::windows;
#else
inline constexpr auto host_platform = platform::posix;
#endif

} // namespace caf_mcp
