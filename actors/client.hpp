#pragma once

#include "caf_mcp/actors/caf_version.hpp"
#include "caf_mcp/actors/connection.hpp"
#include "caf_mcp/messages/methods.hpp"

#include <caf/expected.hpp>
#include <caf/scoped_actor.hpp>
#include <caf/timespan.hpp>

#include <cstdint>
#include <type_traits>
#include <utility>

/// @file
/// What callers need: `ask` a connection, or any other typed actor, from an
/// event-based actor or from a thread that waits.

namespace caf_mcp {

/// The type of the answer to `Message`.
template <class Message>
struct answer_to_message {
  using type = void;
};

template <>
struct answer_to_message<open_connection> {
  using type = session_info;
};

template <>
struct answer_to_message<get_session> {
  using type = session_info;
};

template <>
struct answer_to_message<send_request> {
  using type = payload;
};

template <>
struct answer_to_message<list_all> {
  using type = payload;
};

template <>
struct answer_to_message<listen> {
  using type = std::uint64_t;
};

/// Sends `message` from an event-based actor. Returns CAF's response handle:
/// `ask(self, server, call_tool("echo")).then(on_result, on_error)`.
///
/// CAF's own time-out is off: the connection keeps the deadlines and completes
/// every request. An error is read with `describe`.
template <class Self, class... Signatures, class Message>
auto ask(Self* self, const caf::typed_actor<Signatures...>& server,
         Message message) {
  return caf_version::ask(*self, server, caf::infinite, std::move(message));
}

/// Sends `message` and blocks the calling thread until the answer is there.
/// Not for actors: they must not block.
template <class... Signatures, class Message>
caf::expected<typename answer_to_message<Message>::type>
ask(caf::scoped_actor& self, const caf::typed_actor<Signatures...>& server,
    Message message) {
  using answer = typename answer_to_message<Message>::type;
  auto handle
    = caf_version::ask(*self.ptr(), server, caf::infinite, std::move(message));
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

} // namespace caf_mcp
