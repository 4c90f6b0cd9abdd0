#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace caf_mcp {

/// What a node lets other nodes use of one server. Callers of the same process
/// are not bound by it. Members are named as the keys in a configuration file,
/// where `allow` and `deny` stand in the object `tools`.
struct server_offer {
  /// Whether other nodes know of the server at all.
  bool remote = true;

  /// The names of the tools that other nodes may call; absent: all.
  std::optional<std::vector<std::string>> allow;

  /// The names of those that they may not; wins over `allow`.
  std::vector<std::string> deny;

  friend bool operator==(const server_offer&, const server_offer&) = default;
};

/// Returns whether other nodes may call each tool of the server.
bool offers_all_tools(const server_offer& offer) noexcept;

/// Returns whether other nodes may call the tool `name`.
bool offers_tool(const server_offer& offer, std::string_view name);

template <class Inspector>
bool inspect(Inspector& f, server_offer& x) {
  return f.object(x).fields(f.field("remote", x.remote),
                            f.field("allow", x.allow), f.field("deny", x.deny));
}

} // namespace caf_mcp
