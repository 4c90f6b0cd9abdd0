// How much memory this process occupies.
#pragma once

#include <cstddef>

namespace bench {

/// Returns the resident memory, in bytes.
std::size_t resident_bytes();

/// Gives back what the heap does not need, and forgets the peak so far. Returns
/// the resident memory.
std::size_t start_of_peak();

/// Returns the highest resident memory since `start_of_peak`, in bytes.
std::size_t peak_bytes();

} // namespace bench
