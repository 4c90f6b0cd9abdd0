#pragma once

#include "caf_mcp/actors/loop/io_loop.hpp"

#include <caf/actor_config.hpp>
#include <caf/actor_system.hpp>
#include <caf/exit_reason.hpp>
#include <caf/mailbox_element.hpp>
#include <caf/resumable.hpp>
#include <caf/send.hpp>

#include <cstddef>
#include <memory>
#include <utility>

namespace caf_mcp {

/// An actor that always runs in the thread of one `io_loop`, the way CAF's own
/// brokers run in the thread of the middleman. It may use the loop's context
/// from its handlers, and its members from that context's callbacks.
template <class Base>
class pinned_actor : public Base {
public:
  pinned_actor(caf::actor_config& cfg, std::shared_ptr<io_loop> loop)
    : Base{cfg}, loop_{std::move(loop)} {
    // nop
  }

  using Base::enqueue;

  bool enqueue(caf::mailbox_element_ptr what,
               caf_version::execution_unit_base*) override {
    return Base::enqueue(std::move(what), loop_.get());
  }

  void launch(caf_version::execution_unit_base*, bool lazy,
              bool hide) override {
    // Sent before the first turn, so that it is handled before any request.
    if (caf::strong_actor_ptr self{this->ctrl()}; !loop_->adopt(self))
      caf::anon_send_exit(self, caf::exit_reason::user_shutdown);
    Base::launch(loop_.get(), lazy, hide);
  }

  caf::resumable::resume_result resume(caf_version::execution_unit_base* host,
                                       std::size_t messages_max) override {
    auto result = Base::resume(host, messages_max);
    if (result != caf::resumable::done)
      after_messages();
    return result;
  }

  /// Tells the loop that this actor is to be resumed by it, not by CAF.
  caf::resumable::subtype_t subtype() const noexcept override {
    return caf::resumable::io_actor;
  }

  /// Overrides must call this one last.
  void on_exit() override {
    Base::on_exit();
    loop_->forget(this->id());
  }

protected:
  /// Is called after each turn of the actor, in which it has handled all
  /// messages it had, or some of many.
  virtual void after_messages() {
    // nop
  }

  io_loop& loop() noexcept {
    return *loop_;
  }

  const std::shared_ptr<io_loop>& shared_loop() const noexcept {
    return loop_;
  }

private:
  std::shared_ptr<io_loop> loop_;
};

/// Spawns an actor that is pinned to `loop`; passes the loop and `args` on.
template <class Actor, class... Args>
auto spawn_pinned(caf::actor_system& system,
                  const std::shared_ptr<io_loop>& loop, Args&&... args) {
  caf::actor_config cfg{loop.get()};
  return system.spawn_class<Actor, caf::no_spawn_options>(
    cfg, loop, std::forward<Args>(args)...);
}

} // namespace caf_mcp
