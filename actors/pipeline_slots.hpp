#pragma once

#include "caf_mcp/messages/json/payload.hpp"
#include "caf_mcp/messages/pipeline.hpp"

#include <caf/error.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace caf_mcp {

/// The caller's end of a pipeline: requests that have not left, and who waits
/// for the answers of those that have.
class pipeline_slots {
public:
  /// What to call with the answer to a request; one of the two.
  struct handlers {
    std::function<void(const payload&)> on_result;
    std::function<void(const caf::error&)> on_error;
  };

  /// Adds a request, which leaves with `take_requests`.
  void add(send_request request, handlers whom);

  /// Takes the requests that have not left, in the order of `add`.
  std::vector<pipelined_request> take_requests();

  /// Calls who waits for `answer`.
  void complete(const pipelined_answer& answer);

  /// Tells `why` to all who wait.
  void fail_all(const caf::error& why);

  /// Returns how many wait for an answer.
  std::size_t open() const noexcept {
    return slots_.size() - free_.size();
  }

  /// Returns how many have not left.
  std::size_t requests() const noexcept {
    return requests_.size();
  }

private:
  handlers take(std::uint64_t slot);

  std::vector<pipelined_request> requests_;
  std::vector<handlers> slots_;
  /// Places in `slots_` where nobody waits.
  std::vector<std::uint64_t> free_;
};

} // namespace caf_mcp
