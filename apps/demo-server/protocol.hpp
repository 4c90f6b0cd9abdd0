// Names, versions and numbers of the protocol that more than one file needs.
#pragma once

#include <array>
#include <string_view>

namespace demo {

/// How a message is meant: with an `initialize` handshake before it (legacy,
/// up to 2025-11-25) or with everything in its own `_meta` (modern).
enum class era { legacy, modern };

/// Legacy revisions, newest first: the first is offered to a client that asks
/// for one that is not listed.
constexpr std::array<std::string_view, 4> legacy_versions
  = {"2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"};

constexpr std::string_view modern_version = "2026-07-28";

namespace meta_key {

constexpr std::string_view protocol_version
  = "io.modelcontextprotocol/protocolVersion";
constexpr std::string_view client_capabilities
  = "io.modelcontextprotocol/clientCapabilities";
constexpr std::string_view log_level = "io.modelcontextprotocol/logLevel";
constexpr std::string_view server_info = "io.modelcontextprotocol/serverInfo";
constexpr std::string_view subscription_id
  = "io.modelcontextprotocol/subscriptionId";

} // namespace meta_key

namespace code {

constexpr int parse_error = -32700;
constexpr int invalid_request = -32600;
constexpr int method_not_found = -32601;
constexpr int invalid_params = -32602;
/// Legacy only; modern servers answer `invalid_params`.
constexpr int resource_not_found = -32002;
constexpr int missing_client_capability = -32021;
constexpr int unsupported_protocol_version = -32022;

} // namespace code

} // namespace demo
