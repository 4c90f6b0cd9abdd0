#pragma once

#include "caf_mcp/actors/handlers.hpp"

#include <caf/expected.hpp>

#include <string>
#include <vector>

namespace caf_mcp::tool {

/// A program that answers requests for sampling, found and ready to start.
struct sampling_command {
  /// Absolute path.
  std::string executable;
  std::vector<std::string> args;
};

/// Finds the program in `PATH`. The text is split at white space, quotes keep
/// words together; no shell is involved. Fails with `config_invalid`.
caf::expected<sampling_command> read_sampling_command(const std::string& text);

/// Starts the program for each request: it gets the params of
/// `sampling/createMessage` on stdin, and its stdout is the result. Killed with
/// its process group when nobody waits for the result any more.
blocking_handler_function run_for_sampling(sampling_command command);

} // namespace caf_mcp::tool
