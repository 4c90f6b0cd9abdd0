#pragma once

#include "caf_mcp/actors/nodes.hpp"
#include "caf_mcp/actors/tls.hpp"
#include "caf_mcp/messages/server_options.hpp"

#include "command.hpp"
#include "diagnostics.hpp"
#include "hub_session.hpp"
#include "sampling_command.hpp"

#include <caf/error.hpp>
#include <caf/expected.hpp>
#include <caf/timespan.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace caf_mcp::tool {

/// What the tool is to do.
struct invocation {
  std::unique_ptr<command> action;
  /// The one server, if `servers` is empty. Valid.
  server_options server;
  /// All servers of the configuration, for a command over them.
  std::optional<std::vector<server_entry>> servers;
  /// Where the one server is, unless it is to be started here; or whose servers
  /// the command is about.
  std::vector<node_address> nodes;
  /// Whether it is about all of them, but for those that `server_name` rules
  /// out.
  bool asks_nodes = false;
  /// Its name there.
  std::string server_name;
  /// How this node proves who it is, if it talks to others by TLS.
  std::optional<tls_credentials> credentials;
  /// Time for the server to be ready, and for each request.
  std::optional<caf::timespan> timeout;
  verbosity level = verbosity::quiet;
  log_format logs = log_format::text;
  /// Answers requests for sampling.
  std::optional<sampling_command> sampling;
  /// What is odd about the configuration.
  std::vector<std::string> warnings;
  /// Reads `servers` anew from the configuration, and adds to the warnings.
  std::function<caf::expected<std::vector<server_entry>>(
    std::vector<std::string>&)>
    read_servers;
};

/// A text that was asked for.
struct requested_text {
  /// What it is: `help` or `version`.
  std::string_view name;
  std::string text;
};

/// Reads the command line, and the configuration file it names. Fails with
/// `config_invalid` or `not_found`, before anything is started. `on_command` is
/// called when the command is known, before any file is read.
std::variant<invocation, requested_text, caf::error>
read_command_line(int argc, const char* const* argv,
                  const std::function<void(const command&)>& on_command);

/// Returns how to print, even if the command line is wrong otherwise.
output_format format_of(int argc, const char* const* argv);

/// Returns how to log, even if the command line is wrong otherwise.
log_format log_format_of(int argc, const char* const* argv);

} // namespace caf_mcp::tool
