#pragma once

#include "caf_mcp/messages/error_info.hpp"
#include "caf_mcp/messages/json/payload.hpp"

#include <boost/json/object.hpp>
#include <caf/error.hpp>

#include <chrono>
#include <string>
#include <string_view>
#include <unordered_set>
#include <variant>

namespace caf_mcp {

/// The extension of MCP 2026-07-28 that lets a server answer a call with a
/// task, to be followed to its end.
inline constexpr std::string_view tasks_extension
  = "io.modelcontextprotocol/tasks";

/// A task that a server made of a call (MCP Tasks extension, 2026-07-28): what
/// to ask the server next, and what its answers mean. Decides only.
class followed_task {
public:
  /// Send `method` with `params` after this time.
  struct pause {
    std::chrono::milliseconds time;
  };

  /// Have the `inputRequests` of this result answered, and call `add_answers`.
  struct ask {
    payload result;
  };

  /// It came to an end: the result of the call.
  struct done {
    payload result;
  };

  /// It came to an end: the JSON-RPC error of the call.
  struct refused {
    rpc_error error;
  };

  /// What the server says of it cannot be followed: fail with this, which is
  /// `invalid_response`, and cancel the task, which may go on.
  struct lost {
    caf::error error;
  };

  /// Fails with `invalid_response`, or with `task_cancelled` if the server
  /// ended it.
  using step = std::variant<pause, ask, done, refused, lost, caf::error>;

  /// Takes the result that says there is a task, then the answer to each
  /// request. `of` is the method of the call, for errors.
  step on_result(const std::string& of, const payload& result);

  /// Takes the answers to the input requests of the last `ask`.
  void add_answers(payload answers);

  /// Returns the next request: `tasks/get`, or `tasks/update` with answers.
  std::string_view method() const noexcept;
  payload params() const;

  /// Returns the params that name the task, e.g. for `tasks/cancel`.
  payload id_params() const;

private:
  step on_state(const std::string& of, const payload& result);
  step on_input_required(const payload& result);

  payload id_;
  std::chrono::milliseconds poll_interval_{1000};
  /// Keys that were answered, which a server may still show.
  std::unordered_set<std::string> answered_;
  /// What `tasks/update` is to carry; absent unless it is next, or was sent.
  payload answers_;
};

} // namespace caf_mcp
