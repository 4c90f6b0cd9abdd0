#pragma once

#include "command_line.hpp"
#include "interrupt_watch.hpp"

namespace caf_mcp::tool {

/// Asks nodes for all of their servers, carries the command out, and prints
/// what comes of it.
exit_status run_nodes(invocation& what, output_format format,
                      interrupt_watch& watch);

} // namespace caf_mcp::tool
