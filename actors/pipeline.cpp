#include "caf_mcp/actors/pipeline.hpp"

#include <atomic>

namespace caf_mcp {

std::uint64_t next_pipeline() {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

} // namespace caf_mcp
