#include "caf_mcp/messages/server_entry.hpp"

namespace caf_mcp {

std::string_view to_string(server_entry_state state) noexcept {
  switch (state) {
    case server_entry_state::usable:
      return "usable";
    case server_entry_state::disabled:
      return "disabled";
    case server_entry_state::unsupported:
      return "unsupported";
    case server_entry_state::broken:
      return "broken";
  }
  return {};
}

} // namespace caf_mcp
