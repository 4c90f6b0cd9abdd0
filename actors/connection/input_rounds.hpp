#pragma once

#include "caf_mcp/actors/connection/server_requests/running_handler.hpp"
#include "caf_mcp/messages/server_request.hpp"

#include <boost/json/object.hpp>
#include <caf/error.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace caf_mcp {

/// Something a server wants to know before it answers a call.
struct input_request {
  /// The server's name for it.
  std::string key;
  server_request request;
};

/// One call of the modern era that its server answers with `input_required`
/// (MCP 2026-07-28, Multi Round-Trip Requests): what is asked for, what was
/// answered, and what the call looks like when it is sent again. Decides only.
class input_rounds {
public:
  /// Have these answered, in any order, and call `add_answer` with each result.
  struct ask {
    std::vector<input_request> requests;
  };

  /// Nothing to answer: send the call again after this time.
  struct pause {
    std::chrono::milliseconds time;
  };

  using step = std::variant<ask, pause, caf::error>;

  /// `params` are those of the caller; at most `rounds_max` times may the
  /// server answer them with `input_required`.
  input_rounds(payload params, std::uint32_t rounds_max)
    : params_{std::move(params)}, rounds_max_{rounds_max} {
    // nop
  }

  /// The server answered `method` with `result`, which is `input_required`.
  /// Fails with `too_many_input_rounds` or `invalid_response`.
  step on_input_required(const std::string& method, const payload& result);

  /// Takes the answer to the request `key`.
  void add_answer(const std::string& key, const payload& answer);

  /// Returns whether the call waits for time to pass, not for answers.
  bool is_pausing() const noexcept {
    return is_pausing_;
  }

  /// Returns whether all that was asked for is answered.
  bool is_answered() const noexcept {
    return answers_.size() == asked_;
  }

  /// Holds who answers, until the next round or the end of the call.
  void attach(running_handler handler) {
    handlers_.push_back(std::move(handler));
  }

  /// Returns the answers of this round.
  payload answers() const {
    return compose_object(answers_);
  }

  /// Returns the params for the same call with the answers of this round, and
  /// the server's state as it came, or none if none came.
  payload next_params() const;

private:
  payload params_;
  std::uint32_t rounds_max_;
  std::uint32_t rounds_ = 0;
  /// Rounds in a row that asked for nothing.
  std::uint32_t pauses_ = 0;
  bool is_pausing_ = false;
  /// Absent, or a string.
  payload state_;
  std::size_t asked_ = 0;
  std::vector<payload_member> answers_;
  std::vector<running_handler> handlers_;
};

/// Returns whether the protocol lets a server ask for input to this method.
bool takes_input(std::string_view method) noexcept;

} // namespace caf_mcp
