#pragma once

namespace tests {

/// Whether the tests are built with the address sanitizer (and the one for
/// undefined behaviour).
#ifdef __SANITIZE_ADDRESS__
inline constexpr bool sanitizes_address = true;
#else
inline constexpr bool sanitizes_address = false;
#endif

/// Whether the tests are built with the thread sanitizer.
#ifdef __SANITIZE_THREAD__
inline constexpr bool sanitizes_threads = true;
#else
inline constexpr bool sanitizes_threads = false;
#endif

} // namespace tests
