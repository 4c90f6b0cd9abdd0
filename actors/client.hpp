#pragma once

#include "caf_mcp/actors/connection.hpp"
#include "caf_mcp/actors/loop/caf_version.hpp"
#include "caf_mcp/actors/unsent_requests.hpp"
#include "caf_mcp/messages/methods.hpp"

#include <caf/expected.hpp>
#include <caf/result.hpp>
#include <caf/scoped_actor.hpp>
#include <caf/timespan.hpp>
#include <caf/typed_actor.hpp>

#include <type_traits>
#include <utility>

/// @file
/// What callers need: `ask` and `tell` for every typed handle of this library,
/// and any other, from an event-based actor or from a thread that waits. They
/// are the same with every version of CAF.

namespace caf_mcp {

/// What the signatures of a typed handle answer to `Message`: `type` is absent
/// if none of them takes it.
template <class Message, class... Signatures>
struct answer_of {};

template <class Message, class Answer, class... Others>
struct answer_of<Message, caf::result<Answer>(Message), Others...> {
  using type = Answer;
};

template <class Message, class Other, class... Others>
struct answer_of<Message, Other, Others...> : answer_of<Message, Others...> {};

/// The type of the answer of a typed actor with these signatures.
template <class Message, class... Signatures>
using answer_to = typename answer_of<Message, Signatures...>::type;

/// Sends `message` from an actor. Returns CAF's response handle:
/// `ask(self, server, call_tool("echo")).then(on_result, on_error)`.
///
/// CAF's own time-out is off: the connection keeps the deadlines and completes
/// every request. An error is read with `describe`.
template <class Self, class Handle, class Message>
auto ask(Self* self, const Handle& whom, Message message) {
  unsent_requests::flush_all_of(self->ctrl());
  return caf_version::ask(*self, whom, caf::infinite, std::move(message));
}

/// Sends `message` and blocks the calling thread until the answer is there.
/// Not for actors: they must not block.
template <class... Signatures, class Message>
caf::expected<answer_to<Message, Signatures...>>
ask(caf::scoped_actor& self, const caf::typed_actor<Signatures...>& whom,
    Message message) {
  using answer = answer_to<Message, Signatures...>;
  auto handle = ask(self.ptr(), whom, std::move(message));
  if constexpr (std::is_void_v<answer>) {
    caf::expected<void> result;
    std::move(handle).receive(
      [] {}, [&](caf::error& error) { result = std::move(error); });
    return result;
  } else {
    caf::expected<answer> result{caf::error{}};
    std::move(handle).receive(
      [&](answer& value) { result = std::move(value); },
      [&](caf::error& error) { result = std::move(error); });
    return result;
  }
}

/// Sends `message` from an actor, and wants no answer.
template <class Self, class Handle, class Message>
void tell(Self* self, const Handle& whom, Message message) {
  unsent_requests::flush_all_of(self->ctrl());
  caf_version::tell(self, whom, std::move(message));
}

/// Sends `message` from a thread, and wants no answer.
template <class Handle, class Message>
void tell(caf::scoped_actor& self, const Handle& whom, Message message) {
  tell(self.ptr(), whom, std::move(message));
}

} // namespace caf_mcp
