#pragma once

#include "command.hpp"

#include <caf/error.hpp>

#include <cstdint>
#include <string_view>

namespace CLI {

class App;

} // namespace CLI

namespace caf_mcp::tool {

/// What a command is to talk to.
enum class target_kind : std::uint8_t {
  /// No server.
  nothing,
  /// One server, which is started here.
  process,
  /// Many servers, which are started here.
  tree,
  /// Servers of other nodes.
  nodes,
};

/// Returns an error if an option was given that has no effect on `action` with
/// such a target, or one without the value that it needs. `tool` holds what was
/// parsed.
caf::error check_options(const CLI::App& tool, const command& action,
                         target_kind target);

} // namespace caf_mcp::tool
