#pragma once

/// @file
/// All that differs between CAF 0.18 and CAF 1.x, and nothing else.

#include <caf/action.hpp>
#include <caf/actor_addr.hpp>
#include <caf/actor_cast.hpp>
#include <caf/actor_system.hpp>
#include <caf/config.hpp>
#include <caf/error.hpp>
#include <caf/mailbox_element.hpp>
#include <caf/message.hpp>
#include <caf/message_id.hpp>
#include <caf/system_messages.hpp>
#include <caf/timespan.hpp>

#if CAF_MAJOR_VERSION >= 1
#  include <caf/disposable.hpp>
#  include <caf/scheduler.hpp>
#else
#  include <caf/execution_unit.hpp>
#  include <caf/scheduler/abstract_coordinator.hpp>
#endif

#include <utility>

namespace caf_mcp::caf_version {

#if CAF_MAJOR_VERSION >= 1

/// What resumes actors; base of the `io_loop`, which overrides `resume_later`.
class execution_unit : public caf::scheduler {
public:
  explicit execution_unit(caf::actor_system&) {
    // nop
  }

  virtual void resume_later(caf::resumable* what) = 0;

  void schedule(caf::resumable* what) final {
    resume_later(what);
  }

  void delay(caf::resumable* what) final {
    resume_later(what);
  }
};

/// The type through which CAF passes an execution unit around.
using execution_unit_base = caf::scheduler;

/// Hands an actor to the system's own scheduler.
inline void schedule(caf::actor_system& system, caf::resumable* what) {
  system.scheduler().schedule(what);
}

/// Sends `message` from `self`.
template <class Self, class Handle, class Message>
void tell(Self* self, const Handle& receiver, Message&& message) {
  self->mail(std::forward<Message>(message)).send(receiver);
}

/// Sends a request from `self`; returns the handle for its response.
template <class Self, class Handle, class Message>
auto ask(Self& self, const Handle& receiver, caf::timespan timeout,
         Message&& message) {
  return self.mail(std::forward<Message>(message)).request(receiver, timeout);
}

/// Hands the current message of `self` over to `receiver` as `message`: its
/// sender stays, and gets the answer from there.
template <class Self, class Handle, class Message>
auto pass_on(Self* self, const Handle& receiver, Message&& message) {
  return self->mail(std::forward<Message>(message)).delegate(receiver);
}

/// Puts a message into the mailbox of `to`.
inline void enqueue(const caf::strong_actor_ptr& to,
                    caf::strong_actor_ptr sender, caf::message_id id,
                    caf::message content, execution_unit_base* unit) {
  to->enqueue(
    caf::make_mailbox_element(std::move(sender), id, std::move(content)), unit);
}

/// Calls `what` in the context of `self`, after the current message.
template <class Self, class Function>
void run_next(Self* self, Function what) {
  self->delay(caf::make_action(std::move(what)));
}

/// A monitor that `watch` set up.
using monitor = caf::disposable;

/// Monitors `whom`: calls `on_down(addr, reason)` in the context of `self`.
template <class Self, class OnDown>
monitor watch(Self* self, const caf::strong_actor_ptr& whom, OnDown on_down) {
  auto addr = caf::actor_cast<caf::actor_addr>(whom);
  return self->monitor(
    whom, [addr, on_down](const caf::error& reason) { on_down(addr, reason); });
}

/// Ends a monitor.
template <class Self>
void unwatch(Self*, const caf::actor_addr&, monitor& which) {
  which.dispose();
}

/// Makes `self` call `on_down` for each actor it watches. Once per actor.
template <class Self, class OnDown>
void set_down_handler(Self*, OnDown) {
  // nop: `watch` takes the handler
}

// The successor of exit handlers, a handler for `exit_msg` in the behavior, is
// not there in 0.18.
#  pragma GCC diagnostic push
#  pragma GCC diagnostic ignored "-Wdeprecated-declarations"

/// Makes `self` call `on_exit` for exit messages other than `kill`.
template <class Self, class OnExit>
void set_exit_handler(Self* self, OnExit on_exit) {
  self->set_exit_handler([on_exit](caf::exit_msg& message) {
    on_exit(message.source, message.reason);
  });
}

#  pragma GCC diagnostic pop

#else

class execution_unit : public caf::execution_unit {
public:
  explicit execution_unit(caf::actor_system& system)
    : caf::execution_unit{&system} {
    // nop
  }

  virtual void resume_later(caf::resumable* what) = 0;

  void exec_later(caf::resumable* what) final {
    resume_later(what);
  }

  virtual void start() = 0;

  virtual void stop() = 0;
};

using execution_unit_base = caf::execution_unit;

inline void schedule(caf::actor_system& system, caf::resumable* what) {
  system.scheduler().enqueue(what);
}

template <class Self, class Handle, class Message>
void tell(Self* self, const Handle& receiver, Message&& message) {
  self->send(receiver, std::forward<Message>(message));
}

template <class Self, class Handle, class Message>
auto ask(Self& self, const Handle& receiver, caf::timespan timeout,
         Message&& message) {
  return self.request(receiver, timeout, std::forward<Message>(message));
}

template <class Self, class Handle, class Message>
auto pass_on(Self* self, const Handle& receiver, Message&& message) {
  return self->delegate(receiver, std::forward<Message>(message));
}

inline void enqueue(const caf::strong_actor_ptr& to,
                    caf::strong_actor_ptr sender, caf::message_id id,
                    caf::message content, execution_unit_base* unit) {
  to->enqueue(std::move(sender), id, std::move(content), unit);
}

template <class Self, class Function>
void run_next(Self* self, Function what) {
  self->ctrl()->enqueue(nullptr, caf::make_message_id(),
                        caf::make_message(caf::make_action(std::move(what))),
                        self->context());
}

struct monitor {};

template <class Self, class OnDown>
monitor watch(Self* self, const caf::strong_actor_ptr& whom, OnDown) {
  self->monitor(caf::actor_cast<caf::actor_addr>(whom));
  return {};
}

template <class Self>
void unwatch(Self* self, const caf::actor_addr& whom, monitor&) {
  self->demonitor(whom);
}

template <class Self, class OnDown>
void set_down_handler(Self* self, OnDown on_down) {
  self->set_down_handler([on_down](caf::down_msg& message) {
    on_down(message.source, message.reason);
  });
}

template <class Self, class OnExit>
void set_exit_handler(Self* self, OnExit on_exit) {
  self->set_exit_handler([on_exit](caf::exit_msg& message) {
    on_exit(message.source, message.reason);
  });
}

#endif

} // namespace caf_mcp::caf_version
