#include "caf_mcp/actors/state/capability_gate.hpp"

#include <algorithm>
#include <array>

namespace caf_mcp {

namespace {

struct need {
  std::string_view method;
  std::string_view capability;
};

constexpr std::array needs{
  need{"tools/list", "tools"},
  need{"tools/call", "tools"},
  need{"prompts/list", "prompts"},
  need{"prompts/get", "prompts"},
  need{"resources/list", "resources"},
  need{"resources/templates/list", "resources"},
  need{"resources/read", "resources"},
  need{"resources/subscribe", "resources.subscribe"},
  need{"resources/unsubscribe", "resources.subscribe"},
  need{"logging/setLevel", "logging"},
  need{"completion/complete", "completions"},
};

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

std::string_view missing_capability(std::string_view method,
                                    const payload& capabilities,
                                    std::string_view protocol_version) {
  if (capabilities.if_object() == nullptr)
    return {};
  const auto* found
    = std::find_if(needs.begin(), needs.end(),
                   [&](const need& each) { return each.method == method; });
  if (found == needs.end() || declares(capabilities, found->capability))
    return {};
  // The capability is younger than the method (MCP 2025-03-26, Changelog).
  if (found->capability == "completions" && protocol_version == "2024-11-05")
    return {};
  return found->capability;
}

} // namespace caf_mcp
