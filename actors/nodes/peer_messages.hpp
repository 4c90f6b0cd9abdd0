#pragma once

#include <cstddef>

namespace caf_mcp {

/// Returns whether CAF may read the payload of a direct message of BASP, CAF's
/// protocol: whether it is made of the types that nodes of this library send
/// each other, and passed through no further actors. CAF would read everything
/// that its types allow, and some of that harms whoever reads it: a link to an
/// actor of this node is followed as one to another node, whatever it is, and
/// messages and `config_value`s within each other exhaust the stack.
bool is_readable_message(const std::byte* payload, std::size_t size);

} // namespace caf_mcp
