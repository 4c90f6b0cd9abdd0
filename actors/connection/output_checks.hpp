#pragma once

#include "caf_mcp/actors/connection/output_schema.hpp"
#include "caf_mcp/actors/connection/reply.hpp"
#include "caf_mcp/actors/connection/server_requests/running_handler.hpp"
#include "caf_mcp/messages/json/payload.hpp"

#include <caf/error.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

namespace caf_mcp {

struct request_owner;

/// Answers on the way to their callers: knows what tools have promised of their
/// results, and has these checked (MCP, Tools, Output schema: clients should
/// validate).
///
/// What is checked with little work is checked at once. A longer check is its
/// owner's to run elsewhere, one at a time; its answer is held meanwhile, and
/// so is what comes later for the same caller, so that each caller gets its
/// answers in the order in which the server wrote them (see docs/decisions). An
/// answer that is held has arrived: whatever happens to the server, to the
/// connection or to the check, it is returned to be delivered, and at its
/// request's deadline at the latest.
class output_checks {
public:
  using clock = std::chrono::steady_clock;

  /// The result of a request, or its error.
  using outcome = std::variant<payload, caf::error>;

  /// What is known of an answered request.
  struct request {
    reply to;
    /// Who has asked; null if that is not known.
    const request_owner* caller = nullptr;
    clock::time_point deadline = clock::time_point::max();
    /// The tool that was called, or empty; valid during the call.
    std::string_view tool = {};
  };

  /// A check that may be long. Its outcome goes to `on_checked`; call `attach`
  /// with what runs it.
  struct check {
    std::uint64_t number = 0;
    payload schema;
    payload content;
  };

  /// An answer whose turn it is.
  struct answer {
    reply to;
    outcome what;
  };

  /// What the owner is to do.
  struct step {
    /// Deliver these, in their order.
    std::vector<answer> answers = {};
    /// Start this check.
    std::optional<check> start = {};
    /// Tell the log actor.
    std::vector<std::string> remarks = {};
  };

  /// Steps of a check that is done at once: some 100 microseconds.
  static constexpr std::uint64_t quick_steps_max = 4'000;

  /// Long checks that may wait; what comes then is delivered unchecked, so that
  /// no answer waits long for its check.
  static constexpr std::size_t waiting_max = 16;

  /// Takes what a page of `tools/list` says of the tools' results.
  void learn(const payload& page);

  /// The tools have changed.
  void forget_schemas() noexcept {
    schemas_.clear();
  }

  /// Takes an answer, which is returned at once or when it is its turn.
  step add(request answered, outcome what);

  /// Keeps what runs a check until the check is not wanted any more.
  void attach(std::uint64_t number, running_handler runner);

  /// A check has ended.
  step on_checked(std::uint64_t number, const output_check& checked);

  /// Releases the answers whose deadline has passed, checked or not, and those
  /// before them.
  step on_deadline(clock::time_point now);

  /// Returns the earliest deadline of the answers that are held.
  std::optional<clock::time_point> next_deadline() const;

  /// A caller is gone: drops its answers.
  step forget(const request_owner* caller);

  /// Releases all answers, checked or not.
  step release_all();

  /// Returns whether each answer would be returned at once as it is.
  bool lets_all_pass() const noexcept {
    return schemas_.empty() && held_.empty();
  }

  /// Returns how many answers are held.
  std::size_t size() const noexcept {
    return held_.size();
  }

private:
  struct held {
    reply to;
    const request_owner* caller = nullptr;
    clock::time_point deadline;
    outcome what;
    std::string tool;
    /// Set as long as its check has not ended.
    std::optional<payload> schema = {};
  };

  const payload* schema_of(std::string_view tool, const outcome& what) const;
  void apply(const output_check& checked, const std::string& tool,
             outcome& what, step& next);
  void hold(held&& added, step& next);
  void end_check(std::uint64_t number);
  void abandon(std::uint64_t number, std::string_view why, step& next);
  void release(const request_owner* caller, step& next);
  void start_next(step& next);

  /// By the name of the tool.
  std::unordered_map<std::string, payload> schemas_;
  /// By number, which is the order of their arrival.
  std::map<std::uint64_t, held> held_;
  /// The numbers of what is held for each caller, in order.
  std::unordered_map<const request_owner*, std::deque<std::uint64_t>> held_for_;
  /// The deadlines of all that is held.
  std::set<std::pair<clock::time_point, std::uint64_t>> deadlines_;
  /// The few whose check has not ended, in order.
  std::deque<std::uint64_t> unchecked_;
  std::uint64_t last_number_ = 0;
  /// The check that runs, which is the first of these; 0 if none does.
  std::uint64_t running_ = 0;
  running_handler runner_;
};

} // namespace caf_mcp
