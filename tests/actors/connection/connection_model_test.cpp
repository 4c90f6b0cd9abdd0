// Random sequences of what callers and servers do, against a small model of
// what a connection promises:
// - each request that is accepted is completed once, with what became of it;
// - what a sender sends is written in its order, before readiness or after;
// - a request that was written, and is cancelled, expires or loses its caller,
//   is cancelled on the wire, and no other is;
// - before readiness nothing is written but the handshake;
// - a deadline does not pass unnoticed;
// - progress reaches who asked for it, in its order and before the answer;
// - a server may be lost at any time, in the handshake and in a drain, too.
// A sequence that fails is run again, alone, with CAF_MCP_MODEL_SEED set to its
// seed; CAF_MCP_MODEL_RUNS is the number of sequences.
#include "tests/support/fake_port.hpp"

#include <caf/scoped_actor.hpp>
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <deque>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <vector>

using namespace caf_mcp;
using namespace std::chrono_literals;
using tests::done;
using tests::fake_port;
using tests::outcome;

namespace {

using answer_handle = decltype(ask(std::declval<caf::scoped_actor&>().ptr(),
                                   std::declval<const connection&>(),
                                   std::declval<send_request>()));

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

/// Plays one sequence.
class sequence {
public:
  /// `traces` has each line that is written printed.
  sequence(fake_port& port, unsigned seed, bool traces)
    : port_{port},
      random_{seed},
      is_modern_{chance(50)},
      is_probed_{chance(50)},
      awaits_pauses_{seed % 1024 == 1},
      traces_{traces} {
    port_.options.mode = is_probed_   ? era_mode::automatic
                         : is_modern_ ? era_mode::modern
                                      : era_mode::legacy;
    port_.options.max_reconnects = 1'000;
    port_.options.probe_timeout = 1h;
    port_.spawn();
    for (auto i = 0; i < 3; ++i)
      callers_.emplace_back(port_.system());
  }

  void run() {
    for (auto steps = pick(40) + 5; steps > 0 && !is_closed_; --steps)
      step();
    finish();
  }

private:
  using state = model_request::state;

  // -- chance -----------------------------------------------------------------

  std::size_t pick(std::size_t count) {
    return std::uniform_int_distribution<std::size_t>{0, count - 1}(random_);
  }

  bool chance(unsigned percent) {
    return pick(100) < percent;
  }

  /// Returns a request that waits for its answer, if there is one.
  std::optional<std::uint64_t> pick_written() {
    std::vector<std::uint64_t> all;
    for (const auto& [number, request] : requests_)
      if (request.waits_for_answer())
        all.push_back(number);
    if (all.empty())
      return std::nullopt;
    return all[pick(all.size())];
  }

  // -- steps ------------------------------------------------------------------

  void step() {
    const auto what = pick(100);
    trace("step " + std::to_string(what));
    if (what < 25)
      call();
    else if (what < 35)
      pipeline();
    else if (what < 40)
      list();
    else if (what < 48)
      cancel();
    else if (what < 56)
      notify();
    else if (what < 59)
      kill_caller();
    else if (what < 61)
      call_briefly();
    else if (!is_ready_)
      go_on_with_handshake();
    else
      step_of_server(what);
    if (is_ready_)
      sync();
    else
      check_answers();
  }

  void step_of_server(std::size_t what) {
    if (what < 76)
      answer();
    else if (what < 80)
      refuse();
    else if (what < 83)
      port_.answer(1'000'000 + static_cast<std::int64_t>(pick(9)));
    else if (what < 85)
      port_.notify("notifications/progress",
                   R"({"progressToken":1000000,"progress":1})");
    else if (what < 90)
      report_progress();
    else if (what < 93)
      ask_for_input();
    else if (what < 95)
      ask_for_a_pause();
    else if (what < 96)
      make_task();
    else if (losses_ < losses_max)
      die();
  }

  // -- what callers do --------------------------------------------------------

  std::uint64_t add(std::size_t caller, request_options& options) {
    options.tag = pick(3);
    options.wants_progress = chance(40);
    if (!options.timeout)
      options.timeout = 1h;
    const auto number = ++last_number_;
    auto& added = requests_[number];
    added.caller = caller;
    added.tag = options.tag;
    added.wants_progress = options.wants_progress;
    return number;
  }

  /// The request is written, now or when the server is ready.
  void expect_written(std::uint64_t number, const std::string& kind) {
    (is_ready_ ? expected_ : held_)
      .push_back({kind + ' ' + std::to_string(number)});
  }

  static payload params_of(std::uint64_t number) {
    return payload{boost::json::value{{"n", number}}};
  }

  void call(request_options options = {}) {
    const auto caller = pick(callers_.size());
    const auto number = add(caller, options);
    requests_[number].handle.emplace(
      ask(callers_[caller].self->ptr(), port_.connection,
          send_request{"tools/call", params_of(number), options}));
    expect_written(number, "call");
  }

  void pipeline() {
    const auto caller = pick(callers_.size());
    std::vector<pipelined_request> batch;
    for (auto count = pick(3) + 1; count > 0; --count) {
      request_options options;
      const auto number = add(caller, options);
      batch.push_back(
        {number, send_request{"tools/call", params_of(number), options}});
      expect_written(number, "call");
    }
    CHECK(done(ask(callers_[caller].self->ptr(), port_.connection,
                   send_pipelined{1, std::move(batch)}))
          == "ok");
  }

  void list() {
    const auto caller = pick(callers_.size());
    request_options options;
    const auto number = add(caller, options);
    auto& added = requests_[number];
    added.is_list = true;
    added.handle.emplace(ask(callers_[caller].self->ptr(), port_.connection,
                             list_all{list_kind::tools, 100, options}));
    expect_written(number, "list");
  }

  void notify() {
    const auto number = ++last_number_;
    const auto& caller = callers_[pick(callers_.size())];
    auto told = ask(caller.self->ptr(), port_.connection,
                    send_notification{"test/note", params_of(number)});
    expect_written(number, "note");
    if (is_ready_)
      CHECK(done(told) == "ok");
  }

  void cancel() {
    const auto caller = pick(callers_.size());
    const auto tag = pick(3);
    CHECK(done(ask(callers_[caller].self->ptr(), port_.connection,
                   cancel_request{tag, ""}))
          == "ok");
    give_up(
      [&](const model_request& each) {
        return each.caller == caller && each.tag == tag;
      },
      "cancelled");
  }

  void kill_caller() {
    const auto caller = pick(callers_.size());
    callers_[caller] = model_caller{port_.system()};
    give_up([&](const model_request& each) { return each.caller == caller; },
            "");
    read_expected();
    settle();
  }

  /// A call whose time is up before the server says anything.
  void call_briefly() {
    request_options options;
    options.timeout = 1ms;
    call(options);
    const auto number = last_number_;
    if (is_ready_)
      read_expected();
    give_up(
      [&](const model_request& each) { return &each == &requests_[number]; },
      "request_timeout");
  }

  /// Requests end without an answer; what the server knows is cancelled.
  template <class Predicate>
  void give_up(Predicate is_meant, const std::string& error) {
    group cancelled;
    for (auto& [number, request] : requests_) {
      if (request.now == state::complete || !is_meant(request))
        continue;
      if (request.now == state::between)
        late_[number] = !request.is_task;
      if (request.is_task)
        cancelled.insert("endtask " + std::to_string(number));
      else if (request.waits_for_answer())
        cancelled.insert("cancel " + std::to_string(number));
      else if (request.now == state::held)
        std::erase_if(held_, [number = number](const group& each) {
          return each.contains("call " + std::to_string(number))
                 || each.contains("list " + std::to_string(number));
        });
      complete(number, error);
    }
    if (!cancelled.empty())
      expected_.push_back(std::move(cancelled));
  }

  // -- what the server does ---------------------------------------------------

  /// How far the process is that is not ready.
  enum class stage { starting, open, asked };

  /// Takes a few steps of the handshake, mostly to its end.
  void go_on_with_handshake() {
    if (last_number_ == 0)
      call(); // which starts the server
    do {
      take_handshake_step();
    } while (!is_ready_ && !is_closed_ && !chance(10));
  }

  void take_handshake_step() {
    port_.wait_for_start();
    if (losses_ < losses_max && chance(12))
      die_in_handshake();
    else if (stage_ == stage::starting) {
      port_.open();
      stage_ = stage::open;
    } else if (stage_ == stage::open) {
      read_question();
    } else {
      answer_question();
    }
  }

  /// Takes the request of the handshake that must be written now, and nothing
  /// else.
  void read_question() {
    question_ = next_line();
    trace("handshake: " + question_);
    const auto discovers
      = question_.find(" server/discover") != std::string::npos;
    CHECK(discovers == asks_for_discovery());
    CHECK((discovers || question_.find(" initialize") != std::string::npos));
    was_probed_ |= discovers;
    stage_ = stage::asked;
  }

  /// Returns whether the next question must be the modern one.
  bool asks_for_discovery() const {
    if (!is_probed_)
      return is_modern_;
    return was_refused_ != (era_ != era::legacy);
  }

  /// A server of one era refuses what only the other has.
  void answer_question() {
    const auto id = id_of(question_);
    const auto discovers
      = question_.find(" server/discover") != std::string::npos;
    if (discovers != is_modern_) {
      port_.refuse(id, -32601, "no such method");
      was_refused_ = true;
      stage_ = stage::open;
      return;
    }
    if (is_modern_) {
      port_.answer(id, R"({"capabilities":{"tools":{}},
                           "supportedVersions":["2026-07-28"]})");
    } else {
      port_.answer(id, R"({"capabilities":{"tools":{}},
                           "protocolVersion":"2025-11-25"})");
      CHECK(port_.written() == "notify notifications/initialized");
    }
    era_ = is_modern_ ? era::modern : era::legacy;
    is_ready_ = true;
    was_ready_ = true;
    for (auto& each : std::exchange(held_, {}))
      expected_.push_back(std::move(each));
  }

  /// The process ends before it is ready. The probe may have been too much for
  /// it; a server that was never ready gets no other chance.
  void die_in_handshake() {
    if (stage_ == stage::open)
      read_question(); // which would else be written, or not
    trace("dies in the handshake");
    ++losses_;
    const auto is_spared = is_probed_ && !era_ && was_probed_;
    if (is_spared)
      era_ = era::legacy;
    const auto is_lost = !is_spared && (!was_ready_ || is_draining_);
    expect_new_process();
    port_.die();
    if (is_lost)
      lose_for_good();
  }

  void expect_new_process() {
    is_ready_ = false;
    was_probed_ = false;
    was_refused_ = false;
    stage_ = stage::starting;
  }

  void lose_for_good() {
    is_closed_ = true;
    fail_all();
  }

  void answer() {
    const auto number = pick_written();
    if (!number)
      return;
    auto& request = requests_[*number];
    const auto id = request.id;
    if (request.is_list && chance(40)) {
      port_.answer(id, R"({"tools":[1],"nextCursor":")"
                         + std::to_string(++last_cursor_) + R"("})");
      request.now = state::later_round;
      expected_.push_back({"list " + std::to_string(*number)});
    } else if (request.is_list) {
      request.is_answered = true;
      port_.answer(id, R"({"tools":[2]})");
      complete(*number, "[");
    } else if (request.is_task) {
      request.is_answered = true;
      port_.answer(id, R"({"status":"completed","result":{"n":)"
                         + std::to_string(*number) + "}}");
      complete(*number, R"({"n":)" + std::to_string(*number) + '}');
    } else {
      request.is_answered = true;
      port_.answer(id, R"({"n":)" + std::to_string(*number) + '}');
      complete(*number, R"({"n":)" + std::to_string(*number) + '}');
    }
    if (chance(10) && !requests_[*number].waits_for_answer())
      port_.answer(id); // which nobody waits for
  }

  void refuse() {
    const auto number = pick_written();
    if (!number)
      return;
    requests_[*number].is_answered = true;
    port_.refuse(requests_[*number].id, -32602, "no");
    complete(*number, "rpc_error");
  }

  /// Returns a call that may be answered with less than its result.
  std::optional<std::uint64_t> pick_call() {
    const auto number = pick_written();
    if (!is_modern_ || !number || requests_[*number].is_list
        || requests_[*number].is_task)
      return std::nullopt;
    return number;
  }

  void ask_for_input() {
    const auto number = pick_call();
    if (!number || rounds_[*number]++ > 5)
      return;
    auto& request = requests_[*number];
    request.now = state::between;
    port_.answer(request.id, R"({"resultType":"input_required",
      "inputRequests":{"a":{"method":"roots/list"}}})");
    if (chance(50))
      wait_for_next_message();
  }

  /// The server has nothing to ask, but wants to be called again.
  void ask_for_a_pause() {
    const auto number = pick_call();
    if (!number || rounds_[*number]++ > 5)
      return;
    auto& request = requests_[*number];
    request.now = state::between;
    request.is_pausing = true;
    port_.answer(request.id, R"({"resultType":"input_required",
      "requestState":"s"})");
    if (awaits_pauses_)
      wait_for_next_message();
  }

  void make_task() {
    const auto number = pick_call();
    if (!number)
      return;
    auto& request = requests_[*number];
    request.now = state::between;
    request.is_task = true;
    port_.answer(request.id, R"({"resultType":"task","pollIntervalMs":20,
      "taskId":")" + std::to_string(*number)
                               + R"("})");
  }

  /// Reports of progress, now and then more than may be under way.
  void report_progress() {
    const auto number = pick_written();
    if (!number || requests_[*number].is_task)
      return;
    auto& request = requests_[*number];
    for (auto more = chance(10) ? 80 : 1 + pick(3); more > 0; --more) {
      const auto value = std::to_string(request.reports + 1);
      port_.notify("notifications/progress",
                   R"({"progressToken":)" + std::to_string(request.id)
                     + R"(,"progress":)" + value + R"(,"message":")"
                     + std::to_string(*number) + R"("})");
      ++request.reports;
    }
  }

  /// The process ends, without having got some of what was written.
  void die() {
    sync();
    ++losses_;
    trace("dies");
    std::vector<std::int64_t> unsent;
    std::map<std::int64_t, group> again;
    for (auto& [number, request] : requests_) {
      if (request.now == state::complete)
        continue;
      if (request.now == state::written && chance(50)) {
        unsent.push_back(request.id);
        again[request.id]
          = {(request.is_list ? "list " : "call ") + std::to_string(number)};
        request.now = state::held;
      } else {
        if (request.now == state::between)
          late_[number] = false;
        complete(number, "connection_closed");
      }
    }
    std::sort(unsent.begin(), unsent.end());
    port_.die(std::move(unsent));
    expect_new_process();
    held_.clear();
    for (auto& [_, each] : again)
      held_.push_back(std::move(each));
    settle();
  }

  // -- the end ----------------------------------------------------------------

  void finish() {
    if (is_closed_) {
      check_answers();
      CHECK(done(port_.ask(close_connection{})) == "ok");
      CHECK(outcome(port_.call("late")).starts_with("connection_closed"));
      return;
    }
    while (!is_ready_ && !is_closed_ && last_number_ > 0 && chance(50))
      take_handshake_step();
    if (is_closed_) {
      finish();
      return;
    }
    if (is_ready_)
      sync();
    is_draining_
      = (is_ready_ || stage_ != stage::starting) && can_drain() && chance(50);
    auto closed = port_.ask(close_connection{is_draining_ ? 1h : 0h});
    if (is_draining_) {
      CHECK(outcome(port_.call("late")).starts_with("connection_closed"));
      drain();
    }
    fail_all();
    check_answers();
    CHECK(done(closed) == "ok");
    CHECK(outcome(port_.call("late")).starts_with("connection_closed"));
  }

  /// Returns whether something is to be waited for, and nothing of that takes
  /// long.
  bool can_drain() const {
    auto is_open
      = [](const auto& each) { return each.second.now != state::complete; };
    auto takes_long = [](const auto& each) {
      return each.second.now == state::between && each.second.is_pausing;
    };
    return std::any_of(requests_.begin(), requests_.end(), is_open)
           && !std::any_of(requests_.begin(), requests_.end(), takes_long);
  }

  /// Answers all that is open, unless the server is lost before.
  void drain() {
    while (can_drain() && !is_closed_) {
      if (!is_ready_) {
        take_handshake_step();
      } else if (chance(4)) {
        trace("dies in the drain");
        port_.die();
        return;
      } else if (pick_written()) {
        answer();
        read_expected();
      } else if (!expected_.empty()) {
        read_expected();
      } else {
        wait_for_next_message();
      }
    }
  }

  void fail_all() {
    for (const auto& [number, request] : requests_)
      if (request.now != state::complete)
        complete(number, "connection_closed");
  }

  // -- what is seen -----------------------------------------------------------

  /// Messages whose order among each other is open.
  using group = std::set<std::string>;

  static std::int64_t id_of(const std::string& line) {
    REQUIRE(line.starts_with("request "));
    return std::stoll(line.substr(8));
  }

  /// Takes what must have been written by now, or soon.
  void read_expected() {
    for (auto next = std::exchange(expected_, {}); auto& each : next)
      while (!each.empty())
        take(each, next_line());
  }

  /// Takes the next line but those of requests in between, which come when they
  /// come.
  std::string next_line() {
    for (;;) {
      auto line = port_.written();
      if (!take_unordered(line))
        return line;
      trace(line + ", whenever it comes");
    }
  }

  /// Waits until a request that is in between goes on, if there is one.
  void wait_for_next_message() {
    read_expected();
    auto is_due = [this](const auto& each) {
      return each.second.now == state::between
             && (awaits_pauses_ || !each.second.is_pausing);
    };
    if (std::any_of(requests_.begin(), requests_.end(), is_due)) {
      const auto line = port_.written();
      INFO("written: " << line);
      REQUIRE(take_unordered(line));
    }
  }

  /// Takes a line if it is the next message of a request in between, or of one
  /// that was when it was given up, or what must follow then.
  bool take_unordered(const std::string& line) {
    if (line.starts_with("notify notifications/cancelled")) {
      const auto number = number_of_cancelled(line);
      return number && owed_.erase(*number) > 0;
    }
    const auto is_get = line.find(" tasks/get ") != std::string::npos;
    if (!is_get && line.find(" tools/call ") == std::string::npos)
      return false;
    const auto number
      = number_after(line, is_get ? R"("taskId":")" : R"("n":)");
    auto found = requests_.find(number);
    if (found == requests_.end() || found->second.is_task != is_get)
      return false;
    auto& request = found->second;
    if (request.now == state::between) {
      request.now = state::later_round;
      request.is_pausing = false;
    } else if (auto late = late_.find(number); late != late_.end()) {
      if (late->second)
        owed_.insert(number);
      late_.erase(late);
    } else {
      return false;
    }
    request.id = id_of(line);
    return true;
  }

  std::optional<std::uint64_t> number_of_cancelled(const std::string& line) {
    const auto id = std::stoll(line.substr(line.find(':') + 1));
    for (const auto& [number, request] : requests_)
      if (request.id == id)
        return number;
    return std::nullopt;
  }

  void trace(const std::string& line) const {
    if (traces_)
      std::cerr << line << '\n';
  }

  void take(group& from, const std::string& line) {
    trace(line + ", expected: " + *from.begin());
    INFO("written: " << line << ", expected: " << *from.begin());
    const auto seen = read(line, *from.begin());
    REQUIRE(from.erase(seen) == 1);
  }

  /// Returns what a line says in the words of the model.
  std::string read(const std::string& line, const std::string& wanted) {
    if (line.starts_with("notify notifications/cancelled")) {
      const auto number = number_of_cancelled(line);
      return number ? "cancel " + std::to_string(*number) : line;
    }
    if (line.starts_with("notify test/note"))
      return "note " + std::to_string(number_after(line, R"("n":)"));
    const auto id = id_of(line);
    if (line.find(" tasks/cancel ") != std::string::npos) {
      port_.answer(id);
      return "endtask " + std::to_string(number_after(line, R"("taskId":")"));
    }
    auto number = std::uint64_t{0};
    std::string kind = "list";
    if (line.find(" tools/call ") != std::string::npos) {
      kind = "call";
      number = number_after(line, R"("n":)");
    } else if (wanted.starts_with("list ")) {
      number = std::stoull(wanted.substr(5)); // lists look alike
    }
    if (auto found = requests_.find(number); found != requests_.end()) {
      found->second.id = id;
      if (found->second.now == state::held)
        found->second.now = state::written;
    }
    return kind + ' ' + std::to_string(number);
  }

  static std::uint64_t number_after(const std::string& line,
                                    const std::string& key) {
    const auto at = line.find(key);
    REQUIRE(at != std::string::npos);
    return std::stoull(line.substr(at + key.size()));
  }

  /// Checks that all was written that must be, and nothing else, and that what
  /// is complete was answered.
  void sync() {
    read_expected();
    REQUIRE(done(port_.ask(send_notification{"test/mark"})) == "ok");
    REQUIRE(next_line() == "notify test/mark");
    REQUIRE(owed_.empty());
    late_.clear();
    settle();
    check_answers();
  }

  /// Waits until the connection has as many requests as the model.
  void settle() {
    const auto open = static_cast<std::size_t>(
      std::count_if(requests_.begin(), requests_.end(), [](const auto& each) {
        return each.second.now != state::complete;
      }));
    const auto deadline = std::chrono::steady_clock::now() + 20s;
    std::size_t seen = 0;
    do {
      port_.ask(get_session{})
        .receive(
          [&](const session_info& info) {
            seen
              = info.in_flight - (info.state == connection_state::connecting);
          },
          [](const caf::error& error) { FAIL(to_string(error)); });
      if (seen == open || !is_ready_)
        return;
      std::this_thread::yield();
    } while (std::chrono::steady_clock::now() < deadline);
    INFO("in flight: " << seen << ", expected: " << open);
    FAIL("a request was completed that should not be, or was not");
  }

  /// The request is over; `expected` is how its outcome begins.
  void complete(std::uint64_t number, const std::string& expected) {
    auto& request = requests_[number];
    request.now = state::complete;
    if (expected.empty())
      return; // its caller is gone
    if (request.handle)
      due_.emplace(number, expected);
    else
      callers_[request.caller].due.emplace(number, expected);
  }

  /// Takes the progress that a caller has got.
  void take_progress(std::size_t caller) {
    auto has_more = true;
    while (has_more)
      (*callers_[caller].self)
        ->receive([&](const progress& report) { take(report, caller); },
                  caf::after(0s) >> [&] { has_more = false; });
  }

  void take(const progress& report, std::size_t caller) {
    auto& request = requests_.at(std::stoull(report.message));
    const auto value = static_cast<unsigned>(report.value);
    INFO("progress " << value << " of request " << report.message);
    CHECK(request.wants_progress);
    CHECK(request.caller == caller);
    CHECK(request.tag == report.tag);
    CHECK_FALSE(request.is_delivered);
    CHECK(value > request.last_report_seen);
    request.last_report_seen = value;
    ++request.reports_seen;
  }

  /// The caller has got the answer to a request, and all before it.
  void deliver(std::uint64_t number) {
    auto& request = requests_[number];
    take_progress(request.caller);
    request.is_delivered = true;
    if (!request.wants_progress)
      return;
    if (request.reports <= progress_window::untaken_max)
      CHECK(request.reports_seen == request.reports);
    else if (request.is_answered)
      CHECK(request.last_report_seen == request.reports);
    else
      CHECK(request.reports_seen >= progress_window::untaken_max);
  }

  void check_answers() {
    for (const auto& [number, expected] : std::exchange(due_, {})) {
      INFO("request " << number);
      auto& handle = requests_[number].handle;
      const auto seen = outcome(*handle);
      INFO("outcome: " << seen << ", expected: " << expected);
      CHECK(seen.starts_with(expected));
      deliver(number);
    }
    for (auto& caller : callers_)
      while (!caller.due.empty())
        take_pipelined(caller);
  }

  void take_pipelined(model_caller& caller) {
    std::vector<std::uint64_t> answered;
    ask(caller.self->ptr(), port_.connection, await_answers{1, {}})
      .receive(
        [&](const pipelined_answers& message) {
          REQUIRE_FALSE(message.answers.empty());
          for (const auto& each : message.answers) {
            INFO("request " << each.slot);
            const auto seen
              = each.error ? describe(each.error).name : each.result.to_json();
            const auto found = caller.due.find(each.slot);
            REQUIRE(found != caller.due.end());
            CHECK(seen.starts_with(found->second));
            caller.due.erase(found);
            answered.push_back(each.slot);
          }
        },
        [](const caf::error& error) { FAIL(to_string(error)); });
    for (const auto number : answered)
      deliver(number);
  }

  static constexpr unsigned losses_max = 5;

  fake_port& port_;
  std::minstd_rand random_;
  /// Which era the server speaks.
  bool is_modern_;
  /// The connection is to find that out.
  bool is_probed_;
  /// Whether pauses are waited out, which takes a quarter of a second each.
  bool awaits_pauses_;
  /// What the connection takes the server for, if it has found out.
  std::optional<era> era_ = {};
  stage stage_ = stage::starting;
  /// What the process was asked last, before it is ready.
  std::string question_ = {};
  /// This process was asked for `server/discover`.
  bool was_probed_ = false;
  /// This process has refused its first question.
  bool was_refused_ = false;
  bool traces_;
  bool is_ready_ = false;
  bool was_ready_ = false;
  bool is_draining_ = false;
  /// The server was lost for good.
  bool is_closed_ = false;
  unsigned losses_ = 0;
  std::uint64_t last_number_ = 0;
  std::uint64_t last_cursor_ = 0;
  std::vector<model_caller> callers_;
  std::map<std::uint64_t, model_request> requests_;
  std::map<std::uint64_t, unsigned> rounds_;
  /// What must have been written.
  std::deque<group> expected_;
  /// What must be written once the server is ready.
  std::deque<group> held_;
  /// Requests that were given up in between, whose next message may have been
  /// written before; whether it must be cancelled then.
  std::map<std::uint64_t, bool> late_;
  /// Requests of these for which a cancellation must follow.
  std::set<std::uint64_t> owed_;
  /// What must come of requests that are complete.
  std::map<std::uint64_t, std::string> due_;
};

unsigned from_environment(const char* name, unsigned otherwise) {
  const auto* text = std::getenv(name);
  return text == nullptr
           ? otherwise
           : static_cast<unsigned>(std::strtoul(text, nullptr, 10));
}

} // namespace

TEST_CASE_METHOD(fake_port,
                 "a connection keeps its promises in any order of events") {
  answers.roots = handler_function{[](const server_request&) {
    return caf::expected<payload>{parse_payload(R"({"roots":[]})")};
  }};
  backoff_min = 0ms;
  const auto first = from_environment("CAF_MCP_MODEL_SEED", 1);
  const auto is_chosen = std::getenv("CAF_MCP_MODEL_SEED") != nullptr;
  const auto runs
    = is_chosen ? 1U : from_environment("CAF_MCP_MODEL_RUNS", 2'000);
  for (auto seed = first; seed < first + runs; ++seed) {
    INFO("CAF_MCP_MODEL_SEED=" << seed);
    sequence{*this, seed, is_chosen}.run();
    forget_written();
  }
}
