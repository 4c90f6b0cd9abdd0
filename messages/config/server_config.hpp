#pragma once

#include "caf_mcp/messages/config/expand_variables.hpp"
#include "caf_mcp/messages/server_entry.hpp"

#include <caf/expected.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace caf_mcp {

/// What a configuration file says.
struct server_config {
  /// In the order of the file.
  std::vector<server_entry> servers;
  /// What is odd but does no harm. Each names the file and the server.
  std::vector<std::string> warnings;
};

/// Reads a configuration file of a desktop client or an editor: servers by name
/// in `mcpServers`, or in `servers` as VS Code has it. Each has the keys of
/// `option_descriptors` and of `supervision`. Comments and trailing commas are
/// fine. The values of `command`, `args`, `env`, `cd` and `stderr` may name
/// environment variables, see `expand_variables`. Each server is checked by
/// `validate`; one that is broken keeps its error and does not harm the others.
/// Fails with `config_invalid` only if the text as a whole cannot be read; an
/// error of syntax names line and column. `file` is for messages; `defaults`
/// are the options that an entry does not mention.
caf::expected<server_config>
parse_server_config(std::string_view text, const variable_lookup& lookup,
                    std::string_view file = "the configuration",
                    const server_options& defaults = {});

/// Reads the file at `path` with the environment of this process. Fails with
/// `not_found` if there is no such file, else as `parse_server_config` does.
caf::expected<server_config> load_server_config(const std::string& path,
                                                const server_options& defaults
                                                = {});

/// Returns the options of the server called `name`. Fails with `not_found`,
/// which lists the known names, or with the error of its entry.
caf::expected<server_options> find_server(const server_config& config,
                                          std::string_view name);

} // namespace caf_mcp
