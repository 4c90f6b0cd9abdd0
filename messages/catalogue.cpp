#include "caf_mcp/messages/catalogue.hpp"

namespace caf_mcp {

std::string_view to_string(item_change change) noexcept {
  switch (change) {
    case item_change::added:
      return "added";
    case item_change::changed:
      return "changed";
    case item_change::removed:
      return "removed";
  }
  return {};
}

} // namespace caf_mcp
