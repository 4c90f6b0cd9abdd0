#pragma once

#include "caf_mcp/actors/nodes.hpp"

#include <caf/error.hpp>

#include <string>

namespace caf_mcp {

/// Says in plain words why the node at `where` did not greet, by the error that
/// CAF's broker answers with.
std::string why_not_greeted(const node_address& where, const caf::error& error);

} // namespace caf_mcp
