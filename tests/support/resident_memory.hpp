#pragma once

#include "tests/support/sanitizers.hpp"

#include <cstddef>
#include <fstream>
#include <string>
#include <sys/types.h>
#include <unistd.h>

namespace tests {

/// A rise of resident memory beyond this is growth, not noise, in bytes.
/// Sanitizers keep what was freed for a while.
inline constexpr std::size_t memory_noise_bytes
  = (sanitizes_address || sanitizes_threads ? 1024 : 32) * std::size_t{1024}
    * 1024;

/// Returns the resident memory of a process, by default of this one, in bytes
/// (proc_pid_statm(5)).
inline std::size_t resident_bytes(pid_t pid = ::getpid()) {
  std::ifstream file{"/proc/" + std::to_string(pid) + "/statm"};
  std::size_t total = 0;
  std::size_t resident = 0;
  file >> total >> resident;
  return resident * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

} // namespace tests
