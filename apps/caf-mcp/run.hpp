#pragma once

#include "command_line.hpp"
#include "interrupt_watch.hpp"

#include <caf/error.hpp>

#include <chrono>
#include <string_view>

namespace caf_mcp::tool {

/// Carries out a command that needs no server, and prints what comes of it.
exit_status run_alone(invocation& what, output_format format);

/// Starts the server, carries the command out, prints what comes of it, and
/// stops the server.
exit_status run(invocation& what, output_format format, interrupt_watch& watch);

/// Prints what a command returned. Returns the exit status.
exit_status print(const payload& result, const command& action,
                  output_format format);

/// Prints why the tool fails. Returns the exit status.
exit_status report(const caf::error& error, output_format format,
                   diagnostics& console);

/// Writes all of `text` to stdout. A reader that has left is fine; returns
/// false, and says why on stderr, if anything else is in the way.
bool write_stdout(std::string_view text);

/// Returns whether `write_stdout` has ever returned false.
bool has_failed_to_write() noexcept;

/// Returns whether what is written to stdout reaches nobody any more: the other
/// end of the pipe is closed.
bool reader_is_gone();

/// How often what has nothing to print looks whether its reader is gone.
inline constexpr std::chrono::milliseconds reader_check_interval{500};

} // namespace caf_mcp::tool
