#pragma once

#include "command_line.hpp"
#include "interrupt_watch.hpp"

namespace caf_mcp::tool {

/// Starts all servers of the configuration, carries the command out, prints
/// what comes of it, and stops the servers.
exit_status run_hub(invocation& what, output_format format,
                    interrupt_watch& watch);

} // namespace caf_mcp::tool
