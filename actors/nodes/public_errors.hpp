#pragma once

#include "caf_mcp/messages/hub.hpp"
#include "caf_mcp/messages/json/payload.hpp"

#include <caf/error.hpp>

/// @file
/// What other nodes may know of what goes wrong here. Errors name paths, option
/// values, which may have been expanded from secrets, and what servers write to
/// their stderr; none of that leaves a node.

namespace caf_mcp {

/// Returns an error with the same name and code, a sentence that is the same
/// for everybody, and of `data` only what callers act on. An error that the MCP
/// server has sent, which is an answer to the caller, stays as it is.
caf::error public_error(const caf::error& error);

/// The same for the error in a status, which then says nothing of what is not
/// offered.
server_status public_status(server_status status);

/// The same for the errors in the answer to `get_catalogue`, made of what
/// `get_servers` answers.
payload public_catalogue(const payload& catalogue);

} // namespace caf_mcp
