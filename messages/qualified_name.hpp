#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace caf_mcp {

/// What a qualified name stands for.
struct name_parts {
  /// Of the server.
  std::string server;
  /// Of what the server offers: the name of a tool or prompt, or a URI.
  std::string item;

  friend bool operator==(const name_parts&, const name_parts&) = default;
};

/// Returns `server/item`. In the server's part, '/' and '%' are
/// percent-encoded, so that no two things have the same qualified name.
std::string qualified_name(std::string_view server, std::string_view item);

/// Takes a qualified name apart. Nothing if it has no '/', or a '%' that is no
/// such encoding.
std::optional<name_parts> split_qualified_name(std::string_view name);

} // namespace caf_mcp
