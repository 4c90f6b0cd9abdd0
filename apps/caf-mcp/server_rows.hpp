#pragma once

#include "caf_mcp/messages/json/payload.hpp"
#include "caf_mcp/messages/requests.hpp"

#include <string_view>

namespace caf_mcp::tool {

/// What `status` says of a node that could not be asked.
inline constexpr std::string_view unreachable = "unreachable";

/// Returns the rows of all nodes, each with the member `node`: of a survey of
/// servers (see `node_survey`), as of `status`. Of a node that could not be
/// asked there is one row, with its error and without a name; also of one that
/// has no server called `name`, if that is not empty.
payload rows_of_servers(const payload& survey, std::string_view name);

/// Returns `{KIND: [...], "servers": [...]}` of a survey of catalogues; each
/// item and each server has the member `node`.
payload lists_of_nodes(const payload& survey, list_kind kind);

/// Returns whether the `servers` of a result are of more than one node.
bool is_of_many_nodes(const payload& result);

} // namespace caf_mcp::tool
