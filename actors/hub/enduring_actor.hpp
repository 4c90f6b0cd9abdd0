#pragma once

#include "caf_mcp/actors/loop/pinned_actor.hpp"

#include <caf/error.hpp>
#include <caf/exit_reason.hpp>
#include <caf/message.hpp>
#include <caf/sec.hpp>
#include <caf/system_messages.hpp>

#include <utility>

namespace caf_mcp {

/// A pinned actor that survives the death of every actor that is linked to it,
/// even of one that ends with the reason `kill`: any holder of its handle may
/// link to it, and for `kill` CAF ends the linked actors without calling their
/// exit handlers.
///
/// `caf::anon_send_exit` does end it: CAF sets the source of such a message to
/// its receiver.
template <class Base>
class enduring_actor : public pinned_actor<Base> {
public:
  using pinned_actor<Base>::pinned_actor;
  using pinned_actor<Base>::enqueue;

  bool enqueue(caf::mailbox_element_ptr what,
               caf_version::execution_unit_base* unit) override {
    if (what->payload.template match_elements<caf::exit_msg>())
      soften(what->payload);
    return pinned_actor<Base>::enqueue(std::move(what), unit);
  }

protected:
  /// Returns whether an exit message with this source was sent to this actor on
  /// purpose, not by a link.
  bool is_own_exit(const caf::actor_addr& source) const {
    return source == this->address();
  }

private:
  /// Replaces the reason `kill` by another. The message itself is kept, for by
  /// it CAF removes the link.
  void soften(caf::message& payload) const {
    const auto& exit = payload.template get_as<caf::exit_msg>(0);
    if (exit.reason == caf::exit_reason::kill && !is_own_exit(exit.source))
      payload = caf::make_message(caf::exit_msg{
        exit.source, caf::make_error(caf::sec::runtime_error, "killed")});
  }
};

} // namespace caf_mcp
