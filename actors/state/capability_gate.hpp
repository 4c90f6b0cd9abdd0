#pragma once

#include "caf_mcp/messages/payload.hpp"

#include <string_view>

namespace caf_mcp {

/// Returns the capability that `method` needs and a server of `capabilities`
/// does not declare, e.g. `resources.subscribe`; empty if there is none (MCP,
/// Lifecycle, Operation: only negotiated capabilities are used). A server that
/// declares nothing at all gets the benefit of the doubt.
std::string_view missing_capability(std::string_view method,
                                    const payload& capabilities,
                                    std::string_view protocol_version);

} // namespace caf_mcp
