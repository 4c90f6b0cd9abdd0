#pragma once

#include "caf_mcp/actors/loop/caf_version.hpp"

#include <caf/action.hpp>
#include <caf/actor_config.hpp>
#include <caf/error.hpp>
#include <caf/mailbox_element.hpp>
#include <caf/message.hpp>
#include <caf/sec.hpp>

#include <utility>

namespace caf_mcp {

/// Makes the actor `to` call `what`, in its own context. Unlike a message, this
/// cannot come from another node: an action is never serialized.
template <class Function>
void post(const caf::strong_actor_ptr& to, Function what) {
  if (to)
    caf_version::enqueue(to, nullptr, caf::make_message_id(),
                         caf::make_message(caf::make_action(std::move(what))),
                         nullptr);
}

/// Whether a front takes responses from other nodes, besides requests.
enum class front_responses : bool {
  refused,
  /// They may be forged, so the front must not rely on what they say.
  accepted,
};

/// An actor whose address other nodes know. It takes messages of the types
/// `Accepted`, and actions of this process; everything else is dropped before
/// CAF sees it: exit and down messages, errors and responses would end the
/// actor or complete its requests, and a peer of the node can send each of
/// them, with any sender.
///
/// A front therefore sends no requests whose answers matter. Its agent does: an
/// actor whose address no other node can learn, because it never sends anything
/// to another node.
template <class Base, front_responses Responses, class... Accepted>
class front_actor : public Base {
public:
  explicit front_actor(caf::actor_config& cfg) : Base{cfg} {
    // nop
  }

  using Base::enqueue;

  bool enqueue(caf::mailbox_element_ptr what,
               caf_version::execution_unit_base* unit) override {
    if (is_accepted(*what))
      return Base::enqueue(std::move(what), unit);
    if (what->mid.is_request() && what->sender)
      refuse(*what, unit);
    return false;
  }

private:
  /// Answers with an error, so that the sender does not wait for ever.
  void refuse(const caf::mailbox_element& what,
              caf_version::execution_unit_base* unit) {
    caf_version::enqueue(
      what.sender, caf::strong_actor_ptr{this->ctrl()}, what.mid.response_id(),
      caf::make_message(caf::make_error(caf::sec::unexpected_message)), unit);
  }

  static bool is_accepted(const caf::mailbox_element& what) {
    if (what.mid.is_response())
      return Responses == front_responses::accepted;
    return what.payload.template match_elements<caf::action>()
           || (what.payload.template match_elements<Accepted>() || ...);
  }
};

} // namespace caf_mcp
