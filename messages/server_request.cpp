#include "caf_mcp/messages/server_request.hpp"

#include <utility>

namespace caf_mcp {

caf::error refuse(std::int64_t code, std::string message, payload data) {
  return peer_error({code, std::move(message), std::move(data)});
}

} // namespace caf_mcp
