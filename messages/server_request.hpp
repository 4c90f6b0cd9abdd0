#pragma once

#include "caf_mcp/messages/error_info.hpp"
#include "caf_mcp/messages/json/payload.hpp"

#include <cstdint>
#include <string>

namespace caf_mcp {

/// Connection to handler: the server asks this side for something. In the
/// legacy era it sent a request; in the modern era it answered a call with
/// `input_required`. Handlers need not tell one from the other.
struct server_request {
  /// E.g. `elicitation/create`.
  std::string method;
  payload params;
};

template <class Inspector>
bool inspect(Inspector& f, server_request& x) {
  return f.object(x).fields(f.field("method", x.method),
                            f.field("params", x.params));
}

/// Makes the error with which a handler turns a request of the server down, on
/// purpose: the server gets exactly this, e.g. -1 for a user who rejects
/// sampling. Any other error of a handler reaches the server as -32603.
caf::error refuse(std::int64_t code, std::string message, payload data = {});

} // namespace caf_mcp
