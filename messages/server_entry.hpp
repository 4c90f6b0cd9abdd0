#pragma once

#include "caf_mcp/messages/enum_inspect.hpp"
#include "caf_mcp/messages/error_info.hpp"
#include "caf_mcp/messages/server_options.hpp"
#include "caf_mcp/messages/supervision.hpp"

#include <caf/error.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace caf_mcp {

/// Says what can be done with one entry of a configuration file.
enum class server_entry_state : std::uint8_t {
  /// The server can be started.
  usable,
  /// The file says not to start it.
  disabled,
  /// A server behind a URL, which this library does not speak to.
  unsupported,
  /// The entry has an error.
  broken,
};

std::string_view to_string(server_entry_state state) noexcept;

template <class Inspector>
bool inspect(Inspector& f, server_entry_state& x) {
  return enum_inspect(f, x);
}

/// One server of a configuration file.
struct server_entry {
  std::string name;
  server_entry_state state = server_entry_state::usable;
  /// What the entry says, if it is `usable` or `disabled`.
  server_options options;
  /// What it says for a hub.
  supervision policy;
  /// Why the server cannot be started, unless it is `usable`. Names the file,
  /// the server and the key.
  caf::error error;
};

template <class Inspector>
bool inspect(Inspector& f, server_entry& x) {
  return f.object(x).fields(f.field("name", x.name), f.field("state", x.state),
                            f.field("options", x.options),
                            f.field("policy", x.policy),
                            error_field(f, "error", x.error));
}

} // namespace caf_mcp
