#pragma once

#include "caf_mcp/actors/connection/request_table.hpp"
#include "caf_mcp/messages/error_info.hpp"
#include "caf_mcp/messages/json_rpc.hpp"

#include <caf/error.hpp>

#include <optional>
#include <variant>

namespace caf_mcp {

/// What a response says, once it is attributed to a request: a result, an error
/// of the server, or `invalid_response` if it says neither.
using answer_outcome = std::variant<payload, rpc_error, caf::error>;

answer_outcome read_answer(const pending_request& request,
                           incoming_response&& message);

/// Reads a JSON-RPC error object; nothing if it is none.
std::optional<rpc_error> read_error(const payload& error);

} // namespace caf_mcp
