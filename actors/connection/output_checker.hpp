#pragma once

#include "caf_mcp/actors/connection/output_checks.hpp"
#include "caf_mcp/actors/handlers.hpp"

#include <caf/expected.hpp>

namespace caf_mcp {

/// Returns what runs a check in a thread of its own: neither a loop nor CAF's
/// scheduler waits for what a server makes large.
blocking_handler_function output_checker(output_checks::check wanted);

/// Reads what came of it.
output_check read_check(const caf::expected<payload>& outcome);

} // namespace caf_mcp
