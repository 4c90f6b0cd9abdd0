#pragma once

#include "caf_mcp/messages/close_reason.hpp"
#include "caf_mcp/messages/error_info.hpp"
#include "caf_mcp/messages/hub.hpp"
#include "caf_mcp/messages/json/payload.hpp"

/// @file
/// Errors as documents, in which what a server said keeps its numbers' digits.

namespace caf_mcp {

/// As `to_json`: `{"origin", "name", "code", "message", "data"}`.
payload to_payload(const error_info& info);

/// As it stands on the wire: `{"code", "message", "data"}` (JSON-RPC 2.0, 5.1).
payload to_payload(const rpc_error& error);

/// As `to_json`: `{"reason", ..., "server_error"}`.
payload to_payload(const close_reason& reason);

/// As `to_json`.
payload to_payload(const server_status& status);

} // namespace caf_mcp
