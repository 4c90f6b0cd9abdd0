#pragma once

#include "caf_mcp/messages/server_entry.hpp"

#include <caf/error.hpp>

#include <vector>

namespace caf_mcp {

/// Returns `config_invalid` if `entry`, one of `all`, depends on a server that
/// is not among them, or on itself, be it by way of others.
caf::error dependency_error(const std::vector<server_entry>& all,
                            const server_entry& entry);

/// Makes those entries broken of which that is true.
std::vector<server_entry> with_dependencies(std::vector<server_entry> all);

} // namespace caf_mcp
