#include "caf_mcp/messages/secret.hpp"

namespace caf_mcp {

std::string to_string(const secret&) {
  return std::string{secret_mask};
}

} // namespace caf_mcp
