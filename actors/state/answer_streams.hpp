#pragma once

#include "caf_mcp/messages/payload.hpp"
#include "caf_mcp/messages/pipeline.hpp"

#include <caf/actor_addr.hpp>
#include <caf/error.hpp>
#include <caf/typed_response_promise.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace caf_mcp {

/// The answers of one pipeline, which leave together.
struct answer_stream {
  /// What has not left yet.
  pipelined_answers ready;
  /// Who waits for it; not pending while the pipeline's actor is busy.
  caf::typed_response_promise<pipelined_answers> waiting;
  /// Requests without an answer.
  std::size_t open = 0;
};

/// The pipelines that have open requests on a connection, or answers to fetch.
class answer_streams {
public:
  /// Returns the stream of a caller's pipeline.
  answer_stream& get(const caf::actor_addr& caller, std::uint64_t pipeline);

  /// Answers whoever waits, and forgets the pipelines that are done.
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

} // namespace caf_mcp
