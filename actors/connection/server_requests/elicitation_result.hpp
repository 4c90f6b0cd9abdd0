#pragma once

#include "caf_mcp/messages/json/payload.hpp"

namespace caf_mcp {

/// Makes what a handler answered to `elicitation/create` with these `params`
/// what the protocol has. Only an accepted form has content; each property of
/// the `requestedSchema` with a `default` that it lacks is filled in
/// (SEP-1034). Any other answer loses its content (MCP, Elicitation, Response
/// actions).
payload elicitation_result(const payload& params, payload answer);

} // namespace caf_mcp
