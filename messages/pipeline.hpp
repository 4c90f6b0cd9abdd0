#pragma once

#include "caf_mcp/messages/error_info.hpp"
#include "caf_mcp/messages/json/payload.hpp"
#include "caf_mcp/messages/requests.hpp"

#include <caf/error.hpp>

#include <cstdint>
#include <vector>

/// @file
/// What a `pipeline` and a connection say to each other: many requests in one
/// message, and many answers. A pipeline that awaits answers has one
/// `await_answers` under way, so that answers which come while its actor is
/// busy wait for each other.

namespace caf_mcp {

/// A request, and how its answer is to be told from others of its pipeline.
struct pipelined_request {
  std::uint64_t slot = 0;
  send_request request;
};

template <class Inspector>
bool inspect(Inspector& f, pipelined_request& x) {
  return f.object(x).fields(f.field("slot", x.slot),
                            f.field("request", x.request));
}

/// The answer to the request of that slot: a result, unless there is an error.
struct pipelined_answer {
  std::uint64_t slot = 0;
  payload result;
  caf::error error;
};

template <class Inspector>
bool inspect(Inspector& f, pipelined_answer& x) {
  return f.object(x).fields(f.field("slot", x.slot),
                            f.field("result", x.result),
                            error_field(f, "error", x.error));
}

/// Caller to connection: send these requests. Their answers go to the
/// `await_answers` of the same pipeline.
struct send_pipelined {
  /// Chosen by the sender; tells its pipelines apart.
  std::uint64_t pipeline = 0;
  std::vector<pipelined_request> requests;
};

template <class Inspector>
bool inspect(Inspector& f, send_pipelined& x) {
  return f.object(x).fields(f.field("pipeline", x.pipeline),
                            f.field("requests", x.requests));
}

/// Caller to connection: send these requests, then answer with the
/// `pipelined_answers` there are, as soon as there is one.
struct await_answers {
  std::uint64_t pipeline = 0;
  std::vector<pipelined_request> requests;
};

template <class Inspector>
bool inspect(Inspector& f, await_answers& x) {
  return f.object(x).fields(f.field("pipeline", x.pipeline),
                            f.field("requests", x.requests));
}

/// Connection to caller: answers in the order in which they came. Empty if the
/// pipeline has no open request.
struct pipelined_answers {
  std::vector<pipelined_answer> answers;
};

template <class Inspector>
bool inspect(Inspector& f, pipelined_answers& x) {
  return f.object(x).fields(f.field("answers", x.answers));
}

} // namespace caf_mcp
