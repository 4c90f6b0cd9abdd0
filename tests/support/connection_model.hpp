#pragma once

#include "tests/support/fake_port.hpp"

#include <caf/scoped_actor.hpp>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace tests {

using answer_handle
  = decltype(caf_mcp::ask(std::declval<caf::scoped_actor&>().ptr(),
                          std::declval<const caf_mcp::connection&>(),
                          std::declval<caf_mcp::send_request>()));

/// A request as the model sees it.
struct model_request {
  enum class state {
    held,
    written,
    /// Answered, but not complete; its next message comes when a handler has
    /// answered, or a pause is over.
    between,
    /// Its next message was written.
    later_round,
    complete
  };

  std::size_t caller = 0;
  std::uint64_t tag = 0;
  state now = state::held;
  /// The id of its last message.
  std::int64_t id = 0;
  bool is_list = false;
  bool is_task = false;
  /// Waits for longer than most sequences take.
  bool is_pausing = false;
  bool wants_progress = false;
  /// How often its server has reported progress, counting from 1.
  unsigned reports = 0;
  /// How many reports its caller has got, and the last of them.
  unsigned reports_seen = 0;
  unsigned last_report_seen = 0;
  /// Its server has answered it, whatever.
  bool is_answered = false;
  /// Its caller has got the answer.
  bool is_delivered = false;
  /// Set unless it is pipelined.
  std::optional<answer_handle> handle = {};

  bool waits_for_answer() const {
    return now == state::written || now == state::later_round;
  }
};

/// An actor that calls, and its pipeline.
struct model_caller {
  explicit model_caller(caf::actor_system& system)
    : self{std::make_unique<caf::scoped_actor>(system)} {
    // nop
  }

  std::unique_ptr<caf::scoped_actor> self;
  /// What is to come of pipelined requests, by number.
  std::map<std::uint64_t, std::string> due = {};
};

/// What a connection owes its callers and its server at any moment. Who plays
/// both says here what they do; the model reads what the connection writes and
/// answers, and fails the test where that is not what must come.
class connection_model {
public:
  using state = model_request::state;

  /// Messages whose order among each other is open.
  using group = std::set<std::string>;

  /// `awaits_pauses` says whether pauses are waited out, `traces` has each line
  /// that is written printed.
  connection_model(fake_port& port, bool awaits_pauses, bool traces);

  // -- what is said -----------------------------------------------------------

  /// The request is written, now or when the server is ready.
  void expect_written(std::uint64_t number, const std::string& kind);

  /// Requests end without an answer; what the server knows is cancelled.
  void give_up(const std::function<bool(const model_request&)>& is_meant,
               const std::string& error);

  /// The request is over; `start` is how its outcome begins.
  void complete(std::uint64_t number, const std::string& start);

  /// All requests that are open fail with the connection.
  void fail_all();

  /// The server has agreed: what waits for it must be written next.
  void on_ready();

  // -- what is seen -----------------------------------------------------------

  /// Returns the id of the request in a line that was written.
  static std::int64_t id_of(const std::string& line);

  /// Takes what must have been written by now, or soon.
  void read_expected();

  /// Takes the next line but those of requests in between, which come when they
  /// come.
  std::string next_line();

  /// Waits until a request that is in between goes on, if there is one.
  void wait_for_next_message();

  /// Checks that all was written that must be, and nothing else, and that what
  /// is complete was answered.
  void sync();

  /// Waits until the connection has as many requests as the model.
  void settle();

  /// Checks that what is complete was answered as it must be.
  void check_answers();

  void trace(const std::string& line) const;

  // -- what is known ----------------------------------------------------------

  bool is_ready = false;
  std::uint64_t last_number = 0;
  std::vector<model_caller> callers;
  /// All requests, by number.
  std::map<std::uint64_t, model_request> requests;
  /// What must have been written.
  std::deque<group> expected;
  /// What must be written once the server is ready.
  std::deque<group> held;
  /// Requests that were given up in between, whose next message may have been
  /// written before; whether it must be cancelled then.
  std::map<std::uint64_t, bool> late;

private:
  /// Takes a line if it is the next message of a request in between, or of one
  /// that was when it was given up, or what must follow then.
  bool take_unordered(const std::string& line);

  std::optional<std::uint64_t> number_of_cancelled(const std::string& line);

  void take(group& from, const std::string& line);

  /// Returns what a line says in the words of the model.
  std::string read(const std::string& line, const std::string& wanted);

  static std::uint64_t number_after(const std::string& line,
                                    const std::string& key);

  /// Takes the progress that a caller has got.
  void take_progress(std::size_t caller);

  void take(const caf_mcp::progress& report, std::size_t caller);

  /// The caller has got the answer to a request, and all before it.
  void deliver(std::uint64_t number);

  void take_pipelined(model_caller& caller);

  fake_port& port_;
  bool awaits_pauses_;
  bool traces_;
  /// Requests of `late` for which a cancellation must follow.
  std::set<std::uint64_t> owed_;
  /// What must come of requests that are complete.
  std::map<std::uint64_t, std::string> due_;
};

} // namespace tests
