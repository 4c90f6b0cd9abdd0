#pragma once

#include "caf_mcp/messages/json/payload.hpp"
#include "caf_mcp/messages/server_options.hpp"

#include <string>
#include <vector>

namespace tests {

/// Returns the `PATH` of the tests, with the directory of their `node` first.
std::string path_with_node();

/// Returns options that start the server on the official TypeScript SDK,
/// `servers/modern-server.mjs`.
caf_mcp::server_options sdk_server(const std::vector<std::string>& args = {});

/// Returns the text of the first content block of a tool's result.
std::string first_text(const caf_mcp::payload& result);

} // namespace tests
