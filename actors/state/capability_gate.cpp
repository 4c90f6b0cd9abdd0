#include "caf_mcp/actors/state/capability_gate.hpp"

#include <algorithm>

namespace caf_mcp {

namespace {

/// Returns whether the capability, a name or a name and its flag, is declared.
bool declares(const payload& capabilities, std::string_view capability) {
  const auto dot = capability.find('.');
  const auto found = capabilities.member(capability.substr(0, dot));
  if (dot == std::string_view::npos)
    return static_cast<bool>(found);
  const auto flag = found.member(capability.substr(dot + 1));
  return flag.value().is_bool() && flag.value().get_bool();
}

} // namespace

const std::vector<capability_gate::need>& capability_gate::needs() {
  static const std::vector<need> all{
    {"tools/list", "tools"},
    {"tools/call", "tools"},
    {"prompts/list", "prompts"},
    {"prompts/get", "prompts"},
    {"resources/list", "resources"},
    {"resources/templates/list", "resources"},
    {"resources/read", "resources"},
    {"resources/subscribe", "resources.subscribe"},
    {"resources/unsubscribe", "resources.subscribe"},
    {"logging/setLevel", "logging"},
    {"completion/complete", "completions"},
  };
  return all;
}

capability_gate::capability_gate(const payload& capabilities,
                                 std::string_view protocol_version) {
  if (capabilities.if_object() == nullptr)
    return;
  for (const auto& each : needs()) {
    // The capability is younger than the method (MCP 2025-03-26, Changelog).
    const auto is_older
      = each.capability == "completions" && protocol_version == "2024-11-05";
    if (!is_older && !declares(capabilities, each.capability))
      missing_.push_back(each);
  }
}

std::string_view
capability_gate::missing_for(std::string_view method) const noexcept {
  const auto found
    = std::find_if(missing_.begin(), missing_.end(),
                   [&](const need& each) { return each.method == method; });
  return found == missing_.end() ? std::string_view{} : found->capability;
}

} // namespace caf_mcp
