// Where a run takes place, and what of: figures mean little without it.
#pragma once

#include <cstddef>
#include <string>

namespace bench {

struct environment {
  /// Of the processor; empty if the system does not say.
  std::string cpu;
  unsigned cores = 0;
  std::size_t memory_mib = 0;
  std::string kernel;
  /// Versions.
  std::string caf_mcp;
  std::string caf;
  std::string boost;
  std::string compiler;
};

environment find_environment();

} // namespace bench
