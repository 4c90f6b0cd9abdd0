#include "caf_mcp/actors/connection/answer_streams.hpp"

#include "caf_mcp/messages/error_info.hpp"

#include <iterator>

namespace caf_mcp {

answer_stream& answer_streams::get(const caf::actor_addr& caller,
                                   std::uint64_t pipeline) {
  return streams_[key{caller, pipeline}];
}

void answer_streams::flush() {
  for (auto i = streams_.begin(); i != streams_.end();) {
    auto& stream = i->second;
    const auto is_done = stream.open == 0;
    const auto leaves
      = stream.waiting.pending() && (is_done || !stream.ready.answers.empty());
    if (leaves) {
      pipelined_answers next;
      next.answers.reserve(stream.ready.answers.size()); // as many as last time
      std::swap(next, stream.ready);
      stream.waiting.deliver(std::move(next));
    }
    i = leaves && is_done ? streams_.erase(i) : std::next(i);
  }
}

void answer_streams::forget(const caf::actor_addr& caller) {
  auto first = streams_.lower_bound(key{caller, 0});
  auto last = first;
  while (last != streams_.end() && last->first.first == caller)
    ++last;
  streams_.erase(first, last);
}

caf::error nobody_waits() {
  return config_error("sender", "a pipeline needs an actor that gets answers");
}

} // namespace caf_mcp
