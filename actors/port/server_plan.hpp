#pragma once

#include "caf_mcp/actors/port/child_process.hpp"
#include "caf_mcp/messages/server_options.hpp"

#include <variant>

namespace caf_mcp {

/// Prepares the start of a server from its options and this process's
/// environment. The command is looked up in the PATH that the server gets, anew
/// at each start. Returns why it cannot be started if it is not found.
std::variant<spawn_plan, close_reason>
plan_start(const server_options& options);

} // namespace caf_mcp
