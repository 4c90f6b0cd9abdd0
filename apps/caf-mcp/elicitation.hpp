#pragma once

#include "caf_mcp/actors/handlers.hpp"

#include "terminal.hpp"

#include <memory>

namespace caf_mcp::tool {

/// Has a person fill in the form that a server sends, field by field. Declines
/// if nobody is there; the end of the input cancels.
blocking_handler_function form_dialog(std::shared_ptr<terminal> person);

/// Shows a person the URL that a server wants visited. It is never opened here
/// (MCP 2025-11-25, Elicitation, Safe URL handling).
blocking_handler_function url_dialog(std::shared_ptr<terminal> person);

} // namespace caf_mcp::tool
