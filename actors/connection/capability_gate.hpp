#pragma once

#include "caf_mcp/messages/json/payload.hpp"

#include <string_view>
#include <vector>

namespace caf_mcp {

/// Knows what a server does not offer (MCP, Lifecycle, Operation: only
/// negotiated capabilities are used). A server that declares nothing at all
/// gets the benefit of the doubt, but not for what its version of the protocol
/// does not have.
class capability_gate {
public:
  /// Lets every method pass.
  capability_gate() = default;

  capability_gate(const payload& capabilities,
                  std::string_view protocol_version);

  /// A method, and the capability without which it is not sent; empty if no
  /// server of that version may be sent it.
  struct need {
    std::string_view method;
    std::string_view capability;
  };

  /// Returns the need of `method` that the server does not meet; null if there
  /// is none.
  const need* unmet_for(std::string_view method) const noexcept;

private:
  /// Returns what the protocol's methods need.
  static const std::vector<need>& needs();

  /// The needs that the server does not meet.
  std::vector<need> missing_;
};

} // namespace caf_mcp
