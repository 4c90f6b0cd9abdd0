#pragma once

#include "caf_mcp/actors/client.hpp"

#include <caf/scoped_actor.hpp>

#include <chrono>
#include <string>

namespace tests {

/// Returns the next message of a subscription in words, such as
/// `accepted tools demo://a log=info`, `event resource_updated demo://a`,
/// `dropped 3`, `resumed tools`, `closed finished` or
/// `closed failed: connection_closed`; `silence` if there is none in time.
std::string heard(caf::scoped_actor& self, std::chrono::milliseconds patience
                                           = std::chrono::seconds{10});

/// Returns what has been heard already. Ask the connection something first, so
/// that it has sent what it had to.
inline std::string heard_now(caf::scoped_actor& self) {
  return heard(self, std::chrono::milliseconds{0});
}

} // namespace tests
