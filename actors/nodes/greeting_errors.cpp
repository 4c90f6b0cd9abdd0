#include "caf_mcp/actors/nodes/greeting_errors.hpp"

#include <caf/sec.hpp>

namespace caf_mcp {

std::string why_not_greeted(const node_address& where,
                            const caf::error& error) {
  if (error == caf::sec::request_timeout
      || error == caf::sec::connection_timeout)
    return "it does not answer";
  if (error == caf::sec::disconnect_during_handshake
      && where.transport == node_transport::tcp)
    return "it hung up before it said who it is, as a node does that talks by "
           "TLS: either both sides talk in the clear, or none";
  if (error == caf::sec::disconnect_during_handshake)
    return "it hung up before it said who it is";
  return "what answers there is no node that can be understood";
}

} // namespace caf_mcp
