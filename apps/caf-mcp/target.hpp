#pragma once

#include "caf_mcp/messages/server_options.hpp"

#include <caf/error.hpp>

#include <optional>
#include <string>
#include <vector>

namespace caf_mcp::tool {

/// The server that a command line names, in one of two ways.
struct target {
  /// Behind `--`: an executable and its arguments.
  std::optional<std::vector<std::string>> command;
  std::string config_file;
  std::string server_name;
};

/// Fills in how to start the server that `from` names; its stderr is captured
/// unless its configuration says otherwise. Does not validate. Fails with
/// `config_invalid` or `not_found`.
caf::error read_target(const target& from, server_options& to,
                       std::vector<std::string>& warnings);

} // namespace caf_mcp::tool
