#pragma once

#include "command_line.hpp"
#include "interrupt_watch.hpp"

#include <caf/error.hpp>

namespace caf_mcp::tool {

/// Starts the server, carries the command out, prints what comes of it, and
/// stops the server.
exit_status run(invocation& what, output_format format,
                const interrupt_signals& signals);

/// Prints what a command returned. Returns the exit status.
exit_status print(const payload& result, const command& action,
                  output_format format);

/// Prints why the tool fails. Returns the exit status.
exit_status report(const caf::error& error, output_format format,
                   diagnostics& console);

/// Writes all of `text` to stdout. A reader that has left is fine; returns
/// false, and says why on stderr, if anything else is in the way.
bool write_stdout(std::string_view text);

} // namespace caf_mcp::tool
