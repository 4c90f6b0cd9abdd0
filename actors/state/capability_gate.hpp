#pragma once

#include "caf_mcp/messages/payload.hpp"

#include <string_view>
#include <vector>

namespace caf_mcp {

/// Knows what a server does not offer (MCP, Lifecycle, Operation: only
/// negotiated capabilities are used). A server that declares nothing at all
/// gets the benefit of the doubt.
class capability_gate {
public:
  /// Lets every method pass.
  capability_gate() = default;

  capability_gate(const payload& capabilities,
                  std::string_view protocol_version);

  /// Returns the capability that `method` needs and the server does not
  /// declare, e.g. `resources.subscribe`; empty if there is none.
  std::string_view missing_for(std::string_view method) const noexcept;

private:
  /// A method, and the capability without which it is not sent.
  struct need {
    std::string_view method;
    std::string_view capability;
  };

  /// Returns what the protocol's methods need.
  static const std::vector<need>& needs();

  /// The needs that the server does not meet.
  std::vector<need> missing_;
};

} // namespace caf_mcp
