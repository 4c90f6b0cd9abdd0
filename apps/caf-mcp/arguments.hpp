#pragma once

#include "caf_mcp/messages/json/payload.hpp"

#include <caf/expected.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace caf_mcp::tool {

/// What the help texts say about such arguments.
inline constexpr std::string_view arguments_help
  = "A JSON object, KEY=VALUE for a string, or KEY:=JSON for any other value; "
    "later ones win.";

/// Reads arguments as people type them: `{"a": 1}`, `key=text`, `key:=2.5`.
/// The result is an object, numbers with the digits that were typed. Fails with
/// a `config_invalid` that shows the one that is none of these.
caf::expected<payload> read_arguments(const std::vector<std::string>& words);

/// Takes the server's part off a qualified name (see `qualified_name`), and
/// returns it; nothing if `name` has none.
std::optional<std::string> take_server_name(std::string& name);

} // namespace caf_mcp::tool
