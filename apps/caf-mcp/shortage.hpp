#pragma once

#include "command.hpp"
#include "diagnostics.hpp"

namespace caf_mcp::tool {

/// Has this process end with an error and `exit_status::no_connection` when the
/// system refuses a thread, memory or a descriptor that it cannot do without,
/// in whatever thread that is; else the exception would abort it.
void report_shortages(output_format format, log_format logs);

} // namespace caf_mcp::tool
