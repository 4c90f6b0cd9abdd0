#pragma once

#include <cstddef>
#include <fstream>
#include <unistd.h>

namespace tests {

/// A rise of resident memory beyond this is growth, not noise, in bytes.
/// Sanitizers keep what was freed for a while.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr std::size_t memory_noise_bytes = 1024 * 1024 * 1024;
#else
inline constexpr std::size_t memory_noise_bytes = 32 * 1024 * 1024;
#endif

/// Returns the resident memory of this process, in bytes (proc_pid_statm(5)).
inline std::size_t resident_bytes() {
  std::ifstream file{"/proc/self/statm"};
  std::size_t total = 0;
  std::size_t resident = 0;
  file >> total >> resident;
  return resident * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

} // namespace tests
