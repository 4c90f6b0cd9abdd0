#pragma once

#include "caf_mcp/actors/connection/protocol_violations.hpp"
#include "caf_mcp/actors/connection/server_requests/running_handler.hpp"
#include "caf_mcp/actors/handlers.hpp"
#include "caf_mcp/messages/json_rpc.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <variant>

namespace caf_mcp {

/// The requests of the server, and the handlers that run for them or for the
/// input that calls of the modern era need. Decides only: its owner writes
/// answers and runs handlers.
///
/// A handler counts against the limit until its code has returned, whether or
/// not somebody still wants its answer. A server may use an id again once it
/// has cancelled, or was lost; so an answer belongs to the number that its
/// handler got here, not to the id.
class server_requests {
public:
  /// What the server may do now.
  enum class stage {
    /// No era is agreed on yet, or a legacy server is not ready.
    starting,
    /// A legacy server is ready.
    legacy,
    /// The server speaks the modern era, in which it must not send requests,
    /// and this side must not answer any.
    modern,
  };

  /// Send nothing.
  struct ignore {};

  /// Have `how` answer, call `attach`, and call `on_outcome` once it has
  /// returned.
  struct run {
    std::uint64_t number = 0;
    const handler* how = nullptr;
    server_request request;
  };

  using action = std::variant<ignore, outgoing_response, run>;

  /// What the server did wrong.
  struct violation {
    protocol_violation which;
    std::string what;
  };

  struct decision {
    action next = ignore{};
    std::optional<violation> wrong = {};
  };

  /// Something that a call needs before its server answers it.
  struct input {
    /// The id of the call, which changes with each round.
    std::int64_t call = 0;
    /// The server's name for it.
    std::string key;
    server_request request;
    const handler* how = nullptr;
  };

  /// An input whose turn it is: as `run`, but call `release` once the handler
  /// has returned.
  struct started_input {
    std::uint64_t number = 0;
    input needed;
  };

  /// Uses these handlers, which must outlive it, at most `running_max` at once.
  server_requests(const handlers& answers, std::size_t running_max)
    : handlers_{&answers}, running_max_{running_max} {
    // nop
  }

  /// The server has sent a request.
  decision on_request(const incoming_request& message, stage now);

  /// Keeps a handler until its answer is not wanted any more.
  void attach(std::uint64_t number, running_handler handler);

  /// The code of a handler has returned. The answer is to be written, unless
  /// nobody waits for it any more.
  std::optional<outgoing_response>
  on_outcome(std::uint64_t number, const caf::expected<payload>& outcome);

  /// The server does not want the answer any more; ends the handler. An id that
  /// is not there is no error: races are normal (MCP, Cancellation).
  void cancel(const payload& id);

  /// Queues an input.
  void add_input(input needed) {
    inputs_.push_back(std::move(needed));
  }

  /// Takes the first queued input out if another handler may run.
  /// `is_wanted(call)` says whether a call still waits for its inputs.
  template <class Predicate>
  std::optional<started_input> next_input(Predicate is_wanted) {
    while (!inputs_.empty() && !is_full()) {
      auto next = std::move(inputs_.front());
      inputs_.pop_front();
      if (is_wanted(next.call))
        return started_input{start(std::nullopt), std::move(next)};
    }
    return std::nullopt;
  }

  /// The code of the handler of an input has returned.
  void release(std::uint64_t number) {
    running_.erase(number);
  }

  /// The server is gone: no answer is wanted any more; ends all handlers.
  void clear();

  /// Returns how many handlers run.
  std::size_t running() const noexcept {
    return running_.size();
  }

private:
  struct entry {
    /// As JSON text; not set if the answer is not to be written.
    std::optional<std::string> id_json;
    running_handler handler;
  };

  bool is_full() const noexcept {
    return running_.size() >= running_max_;
  }

  decision on_legacy_request(const incoming_request& message, stage now);
  std::uint64_t start(std::optional<std::string> id_json);

  const handlers* handlers_;
  std::size_t running_max_;
  std::uint64_t last_number_ = 0;
  std::map<std::uint64_t, entry> running_;
  /// The numbers of the requests that wait for their answers, by id, each id in
  /// one spelling.
  std::unordered_map<std::string, std::uint64_t> numbers_;
  std::deque<input> inputs_;
};

} // namespace caf_mcp
