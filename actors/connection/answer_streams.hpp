#pragma once

#include "caf_mcp/messages/json/payload.hpp"
#include "caf_mcp/messages/pipeline.hpp"

#include <caf/actor_addr.hpp>
#include <caf/actor_cast.hpp>
#include <caf/actor_control_block.hpp>
#include <caf/error.hpp>
#include <caf/result.hpp>
#include <caf/typed_response_promise.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <utility>
#include <vector>

namespace caf_mcp {

/// The answers of one pipeline, which are sent in batches.
struct answer_stream {
  /// Answers that were not sent yet.
  pipelined_answers ready;
  /// The promise of the pipeline's last `await_answers`; not pending while its
  /// actor works on the answers before.
  caf::typed_response_promise<pipelined_answers> waiting;
  /// Requests without an answer.
  std::size_t open = 0;
};

/// The pipelines that have requests without an answer on a connection, or
/// answers that were not sent yet.
class answer_streams {
public:
  /// Returns the stream of a caller's pipeline.
  answer_stream& get(const caf::actor_addr& caller, std::uint64_t pipeline);

  /// Sends answers to all pipelines that wait for some, and forgets those that
  /// have nothing left.
  void flush();

  /// Forgets the pipelines of a caller that is gone. None of its requests may
  /// be open.
  void forget(const caf::actor_addr& caller);

  std::size_t size() const noexcept {
    return streams_.size();
  }

private:
  using key = std::pair<caf::actor_addr, std::uint64_t>;

  std::map<key, answer_stream> streams_;
};

/// Returns the error of a pipeline without a sender.
caf::error nobody_waits();

/// Takes the requests of a pipeline that does not wait for answers now;
/// `accept` is the member of `self` that accepts the requests of a caller's
/// pipeline.
template <class Self, class Message, class Accept>
caf::result<void> take_pipelined(Self* self, Message& message, Accept accept) {
  const auto caller = self->current_sender();
  if (!caller)
    return nobody_waits();
  std::invoke(accept, self, message.pipeline, message.requests, caller);
  return caf::unit;
}

/// Takes the requests of a pipeline that waits for answers: to these, and to
/// those before them.
template <class Self, class Message, class Accept>
caf::result<pipelined_answers>
await_answers_of(Self* self, answer_streams& streams, Message& message,
                 Accept accept) {
  // Before the promise is made, which clears the sender.
  const auto caller = self->current_sender();
  if (!caller)
    return nobody_waits();
  auto promise = self->template make_response_promise<pipelined_answers>();
  streams.get(caf::actor_cast<caf::actor_addr>(caller), message.pipeline)
    .waiting
    = promise;
  std::invoke(accept, self, message.pipeline, message.requests, caller);
  return promise;
}

} // namespace caf_mcp
