#include "caf_mcp/messages/supervision.hpp"

namespace caf_mcp {

std::string_view to_string(restart_policy policy) noexcept {
  switch (policy) {
    case restart_policy::permanent:
      return "permanent";
    case restart_policy::transient:
      return "transient";
    case restart_policy::temporary:
      return "temporary";
  }
  return {};
}

std::string_view to_string(start_policy policy) noexcept {
  switch (policy) {
    case start_policy::eager:
      return "eager";
    case start_policy::lazy:
      return "lazy";
  }
  return {};
}

} // namespace caf_mcp
