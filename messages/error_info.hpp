#pragma once

#include "caf_mcp/messages/errc.hpp"
#include "caf_mcp/messages/json/payload.hpp"

#include <caf/error.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace caf_mcp {

/// Says which side made an error.
enum class error_origin : std::uint8_t {
  /// This library.
  local,
  /// The server, in a JSON-RPC error response.
  peer,
};

std::string_view to_string(error_origin origin) noexcept;

template <class Inspector>
bool inspect(Inspector& f, error_origin& x) {
  return enum_inspect(f, x);
}

/// A JSON-RPC error object as it stands on the wire (JSON-RPC 2.0, 5.1).
struct rpc_error {
  /// An integer; MCP assigns -32020 to -32099.
  std::int64_t code = 0;
  std::string message;
  /// Absent if the error has no `data`.
  payload data;
};

template <class Inspector>
bool inspect(Inspector& f, rpc_error& x) {
  return f.object(x).fields(f.field("code", x.code),
                            f.field("message", x.message),
                            f.field("data", x.data));
}

/// What a `caf::error` of this library says; see `describe`.
struct error_info {
  error_origin origin = error_origin::local;
  /// The name of the `errc`, e.g. `"rpc_error"`.
  std::string name;
  /// The server's code, or `json_rpc_code` of a local error.
  std::int64_t code = 0;
  std::string message;
  payload data;
};

template <class Inspector>
bool inspect(Inspector& f, error_info& x) {
  return f.object(x).fields(f.field("origin", x.origin),
                            f.field("name", x.name), f.field("code", x.code),
                            f.field("message", x.message),
                            f.field("data", x.data));
}

/// Makes an error of this side. `code` must not be `errc::rpc_error`. What is
/// not valid UTF-8 in `message` is replaced.
caf::error local_error(errc code, std::string message, payload data = {});

/// Makes the `errc::rpc_error` that hands a server's error to a caller.
caf::error peer_error(const rpc_error& error);

/// Makes a `config_invalid` that names the key, and in `data` too.
caf::error config_error(std::string_view key, std::string_view what_is_allowed);

/// Reads an error made by this library. CAF's own errors are described too: the
/// death of the connection actor reads as `connection_closed`, a CAF time-out
/// as `request_timeout`.
error_info describe(const caf::error& error);

/// Makes an error that `describe` reads as `info`; none if that has no name.
caf::error to_error(error_info info);

/// Inspects an error that is a part of another value, as what `describe` says
/// of it. CAF would read one whose context holds errors, to any depth: from
/// another node, until the stack is exhausted.
template <class Inspector, std::size_t N>
auto error_field(Inspector& f, const char (&name)[N], caf::error& x) {
  auto get = [&x] { return x ? describe(x) : error_info{}; };
  auto set = [&x](error_info info) {
    x = to_error(std::move(info));
    return true;
  };
  return f.field(name, get, set);
}

/// Renders `{"origin", "name", "code", "message", "data"}`.
boost::json::object to_json(const error_info& info);

} // namespace caf_mcp
