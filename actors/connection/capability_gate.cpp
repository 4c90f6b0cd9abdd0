#include "caf_mcp/actors/connection/capability_gate.hpp"

#include "caf_mcp/messages/protocol_version.hpp"

#include <algorithm>
#include <array>

namespace caf_mcp {

namespace {

/// MCP 2026-07-28, Key changes: requests that there are no more.
constexpr std::array<std::string_view, 4> legacy_only{
  "ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe"};

bool is_legacy_only(std::string_view method) {
  return std::find(legacy_only.begin(), legacy_only.end(), method)
         != legacy_only.end();
}

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
  const auto is_new = is_modern(protocol_version);
  if (is_new)
    for (auto method : legacy_only)
      missing_.push_back({method, {}});
  if (capabilities.if_object() == nullptr)
    return;
  for (const auto& each : needs()) {
    if (is_new && is_legacy_only(each.method))
      continue;
    // The capability is younger than the method (MCP 2025-03-26, Changelog).
    const auto is_older
      = each.capability == "completions" && protocol_version == "2024-11-05";
    if (!is_older && !declares(capabilities, each.capability))
      missing_.push_back(each);
  }
}

const capability_gate::need*
capability_gate::unmet_for(std::string_view method) const noexcept {
  for (const auto& each : missing_)
    if (each.method == method)
      return &each;
  return nullptr;
}

} // namespace caf_mcp
