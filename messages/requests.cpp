#include "caf_mcp/messages/requests.hpp"

namespace caf_mcp {

std::string_view to_string(connection_state state) noexcept {
  switch (state) {
    case connection_state::idle:
      return "idle";
    case connection_state::connecting:
      return "connecting";
    case connection_state::ready:
      return "ready";
    case connection_state::waiting:
      return "waiting";
    case connection_state::closed:
      return "closed";
  }
  return {};
}

std::string_view to_string(input_policy policy) noexcept {
  switch (policy) {
    case input_policy::answer:
      return "answer";
    case input_policy::hand_over:
      return "hand_over";
  }
  return {};
}

std::string_view to_string(list_kind kind) noexcept {
  switch (kind) {
    case list_kind::tools:
      return "tools";
    case list_kind::resources:
      return "resources";
    case list_kind::resource_templates:
      return "resourceTemplates";
    case list_kind::prompts:
      return "prompts";
  }
  return {};
}

} // namespace caf_mcp
