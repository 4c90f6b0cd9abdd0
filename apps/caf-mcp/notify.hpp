#pragma once

#include "caf_mcp/actors/loop/caf_version.hpp"

#include <caf/actor_cast.hpp>
#include <caf/actor_control_block.hpp>
#include <caf/message.hpp>

#include <utility>

namespace caf_mcp::tool {

/// Sends a message that has no sender. Unlike `tell`, this needs no actor in
/// the calling thread, which may thus outlive the actor system: CAF waits for
/// threads that have made one.
template <class Handle, class Message>
void notify(const Handle& whom, Message message) {
  caf_version::enqueue(caf::actor_cast<caf::strong_actor_ptr>(whom), nullptr,
                       caf::make_message_id(),
                       caf::make_message(std::move(message)), nullptr);
}

} // namespace caf_mcp::tool
