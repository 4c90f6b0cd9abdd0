#pragma once

#include <caf/actor.hpp>
#include <caf/actor_cast.hpp>
#include <caf/actor_control_block.hpp>
#include <caf/exit_reason.hpp>
#include <caf/send.hpp>

#include <utility>

namespace caf_mcp {

/// Owns the actor that answers a request of the server: an exit message is sent
/// to the actor when its owner is destroyed or assigned to, because the answer
/// is not wanted any more.
class running_handler {
public:
  running_handler() noexcept = default;

  explicit running_handler(caf::strong_actor_ptr actor) noexcept
    : actor_{std::move(actor)} {
    // nop
  }

  running_handler(running_handler&& other) noexcept
    : actor_{std::move(other.actor_)} {
    // nop
  }

  running_handler& operator=(running_handler&& other) noexcept {
    std::swap(actor_, other.actor_);
    return *this;
  }

  ~running_handler() {
    if (actor_)
      caf::anon_send_exit(caf::actor_cast<caf::actor>(actor_),
                          caf::exit_reason::user_shutdown);
  }

private:
  caf::strong_actor_ptr actor_;
};

} // namespace caf_mcp
