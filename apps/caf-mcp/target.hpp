#pragma once

#include "caf_mcp/messages/config/server_config.hpp"

#include <caf/error.hpp>
#include <caf/expected.hpp>

#include <optional>
#include <string>
#include <vector>

namespace caf_mcp::tool {

/// The server that a command line names, in one of three ways.
struct target {
  /// Behind `--`: an executable and its arguments.
  std::optional<std::vector<std::string>> command;
  std::string config_file;
  /// `HOST:PORT` of the nodes that host it.
  std::vector<std::string> nodes;
  std::string server_name;
};

/// Fills in how to start the server that `from` names; its stderr is captured
/// unless its configuration says otherwise. Does not validate. Fails with
/// `config_invalid` or `not_found`.
caf::error read_target(const target& from, server_options& to,
                       std::vector<std::string>& warnings);

/// Returns all servers of the configuration file that `from` names; with the
/// name of a server, that one alone. Fails with `config_invalid` or
/// `not_found`.
caf::expected<std::vector<server_entry>>
read_tree(const target& from, std::vector<std::string>& warnings);

} // namespace caf_mcp::tool
