#pragma once

#include "caf_mcp/messages/payload.hpp"

namespace caf_mcp {

/// Fills in what the user left out of a form (SEP-1034): for each property of
/// the `requestedSchema` in `params` with a `default` that the content of
/// `result` lacks, the default. Only an accepted form has content; any other
/// result is returned as it is. Both are as `elicitation/create` has them.
payload with_defaults(const payload& params, payload result);

} // namespace caf_mcp
