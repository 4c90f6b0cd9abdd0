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
#include "tests/support/connection_model.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

using namespace caf_mcp;
using namespace std::chrono_literals;
using tests::connection_model;
using tests::done;
using tests::fake_port;
using tests::model_caller;
using tests::model_request;
using tests::outcome;

namespace {

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
      model_{port, awaits_pauses_, traces} {
    port_.options.mode = is_probed_   ? era_mode::automatic
                         : is_modern_ ? era_mode::modern
                                      : era_mode::legacy;
    port_.options.max_reconnects = 1'000;
    port_.options.probe_timeout = 1h;
    port_.spawn();
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
    for (const auto& [number, request] : model_.requests)
      if (request.waits_for_answer())
        all.push_back(number);
    if (all.empty())
      return std::nullopt;
    return all[pick(all.size())];
  }

  // -- steps ------------------------------------------------------------------

  void step() {
    const auto what = pick(100);
    model_.trace("step " + std::to_string(what));
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
    else if (!model_.is_ready)
      go_on_with_handshake();
    else
      step_of_server(what);
    if (model_.is_ready)
      model_.sync();
    else
      model_.check_answers();
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
    const auto number = ++model_.last_number;
    auto& added = model_.requests[number];
    added.caller = caller;
    added.tag = options.tag;
    added.wants_progress = options.wants_progress;
    return number;
  }

  static payload params_of(std::uint64_t number) {
    return payload{boost::json::value{{"n", number}}};
  }

  void call(request_options options = {}) {
    const auto caller = pick(model_.callers.size());
    const auto number = add(caller, options);
    model_.requests[number].handle.emplace(
      ask(model_.callers[caller].self->ptr(), port_.connection,
          send_request{"tools/call", params_of(number), options}));
    model_.expect_written(number, "call");
  }

  void pipeline() {
    const auto caller = pick(model_.callers.size());
    std::vector<pipelined_request> batch;
    for (auto count = pick(3) + 1; count > 0; --count) {
      request_options options;
      const auto number = add(caller, options);
      batch.push_back(
        {number, send_request{"tools/call", params_of(number), options}});
      model_.expect_written(number, "call");
    }
    CHECK(done(ask(model_.callers[caller].self->ptr(), port_.connection,
                   send_pipelined{1, std::move(batch)}))
          == "ok");
  }

  void list() {
    const auto caller = pick(model_.callers.size());
    request_options options;
    const auto number = add(caller, options);
    auto& added = model_.requests[number];
    added.is_list = true;
    added.handle.emplace(ask(model_.callers[caller].self->ptr(),
                             port_.connection,
                             list_all{list_kind::tools, 100, options}));
    model_.expect_written(number, "list");
  }

  void notify() {
    const auto number = ++model_.last_number;
    const auto& caller = model_.callers[pick(model_.callers.size())];
    auto told = ask(caller.self->ptr(), port_.connection,
                    send_notification{"test/note", params_of(number)});
    model_.expect_written(number, "note");
    if (model_.is_ready)
      CHECK(done(told) == "ok");
  }

  void cancel() {
    const auto caller = pick(model_.callers.size());
    const auto tag = pick(3);
    CHECK(done(ask(model_.callers[caller].self->ptr(), port_.connection,
                   cancel_request{tag, ""}))
          == "ok");
    model_.give_up(
      [&](const model_request& each) {
        return each.caller == caller && each.tag == tag;
      },
      "cancelled");
  }

  void kill_caller() {
    const auto caller = pick(model_.callers.size());
    model_.callers[caller] = model_caller{port_.system()};
    model_.give_up(
      [&](const model_request& each) { return each.caller == caller; }, "");
    model_.read_expected();
    model_.settle();
  }

  /// A call whose time is up before the server says anything.
  void call_briefly() {
    request_options options;
    options.timeout = 1ms;
    call(options);
    const auto number = model_.last_number;
    if (model_.is_ready)
      model_.read_expected();
    model_.give_up(
      [&](const model_request& each) {
        return &each == &model_.requests[number];
      },
      "request_timeout");
  }

  // -- what the server does ---------------------------------------------------

  /// How far the process is that is not ready.
  enum class stage { starting, open, asked };

  /// Takes a few steps of the handshake, mostly to its end.
  void go_on_with_handshake() {
    if (model_.last_number == 0)
      call(); // which starts the server
    do {
      take_handshake_step();
    } while (!model_.is_ready && !is_closed_ && !chance(10));
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
    question_ = model_.next_line();
    model_.trace("handshake: " + question_);
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
    const auto id = connection_model::id_of(question_);
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
    was_ready_ = true;
    model_.on_ready();
  }

  /// The process ends before it is ready. The probe may have been too much for
  /// it; a server that was never ready gets no other chance.
  void die_in_handshake() {
    if (stage_ == stage::open)
      read_question(); // which would else be written, or not
    model_.trace("dies in the handshake");
    ++losses_;
    const auto is_spared = is_probed_ && era_ != era::legacy && was_probed_;
    if (is_spared)
      era_ = era::legacy;
    const auto is_lost = !is_spared && (!was_ready_ || is_draining_);
    expect_new_process();
    port_.die();
    if (is_lost)
      lose_for_good();
  }

  void expect_new_process() {
    model_.is_ready = false;
    // The program may have been replaced by one of the other era.
    if (is_probed_ && chance(20))
      is_modern_ = !is_modern_;
    was_probed_ = false;
    was_refused_ = false;
    stage_ = stage::starting;
  }

  void lose_for_good() {
    is_closed_ = true;
    model_.fail_all();
  }

  void answer() {
    const auto number = pick_written();
    if (!number)
      return;
    auto& request = model_.requests[*number];
    const auto id = request.id;
    if (request.is_list && chance(40)) {
      port_.answer(id, R"({"tools":[1],"nextCursor":")"
                         + std::to_string(++last_cursor_) + R"("})");
      request.now = state::later_round;
      model_.expected.push_back({"list " + std::to_string(*number)});
    } else if (request.is_list) {
      request.is_answered = true;
      port_.answer(id, R"({"tools":[2]})");
      model_.complete(*number, "[");
    } else if (request.is_task) {
      request.is_answered = true;
      port_.answer(id, R"({"status":"completed","result":{"n":)"
                         + std::to_string(*number) + "}}");
      model_.complete(*number, R"({"n":)" + std::to_string(*number) + '}');
    } else {
      request.is_answered = true;
      port_.answer(id, R"({"n":)" + std::to_string(*number) + '}');
      model_.complete(*number, R"({"n":)" + std::to_string(*number) + '}');
    }
    if (chance(10) && !model_.requests[*number].waits_for_answer())
      port_.answer(id); // which nobody waits for
  }

  void refuse() {
    const auto number = pick_written();
    if (!number)
      return;
    model_.requests[*number].is_answered = true;
    port_.refuse(model_.requests[*number].id, -32602, "no");
    model_.complete(*number, "rpc_error");
  }

  /// Returns a call that may be answered with less than its result.
  std::optional<std::uint64_t> pick_call() {
    const auto number = pick_written();
    if (!is_modern_ || !number || model_.requests[*number].is_list
        || model_.requests[*number].is_task)
      return std::nullopt;
    return number;
  }

  void ask_for_input() {
    const auto number = pick_call();
    if (!number || rounds_[*number]++ > 5)
      return;
    auto& request = model_.requests[*number];
    request.now = state::between;
    port_.answer(request.id, R"({"resultType":"input_required",
      "inputRequests":{"a":{"method":"roots/list"}}})");
    if (chance(50))
      model_.wait_for_next_message();
  }

  /// The server has nothing to ask, but wants to be called again.
  void ask_for_a_pause() {
    const auto number = pick_call();
    if (!number || rounds_[*number]++ > 5)
      return;
    auto& request = model_.requests[*number];
    request.now = state::between;
    request.is_pausing = true;
    port_.answer(request.id, R"({"resultType":"input_required",
      "requestState":"s"})");
    if (awaits_pauses_)
      model_.wait_for_next_message();
  }

  void make_task() {
    const auto number = pick_call();
    if (!number)
      return;
    auto& request = model_.requests[*number];
    request.now = state::between;
    request.is_task = true;
    port_.answer(request.id, R"({"resultType":"task","pollIntervalMs":20,
      "taskId":")" + std::to_string(*number)
                               + R"("})");
  }

  /// Reports of progress, now and then more than may be under way.
  void report_progress() {
    const auto number = pick_written();
    if (!number || model_.requests[*number].is_task)
      return;
    auto& request = model_.requests[*number];
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
    model_.sync();
    ++losses_;
    model_.trace("dies");
    std::vector<std::int64_t> unsent;
    std::map<std::int64_t, connection_model::group> again;
    for (auto& [number, request] : model_.requests) {
      if (request.now == state::complete)
        continue;
      if (request.now == state::written && chance(50)) {
        unsent.push_back(request.id);
        again[request.id]
          = {(request.is_list ? "list " : "call ") + std::to_string(number)};
        request.now = state::held;
      } else {
        // What builds on an answer of this process means nothing to the next.
        if (request.now == state::later_round && chance(50))
          unsent.push_back(request.id);
        if (request.now == state::between)
          model_.late[number] = false;
        model_.complete(number, "connection_closed");
      }
    }
    std::sort(unsent.begin(), unsent.end());
    port_.die(std::move(unsent));
    expect_new_process();
    model_.held.clear();
    for (auto& [_, each] : again)
      model_.held.push_back(std::move(each));
    model_.settle();
  }

  // -- the end ----------------------------------------------------------------

  void finish() {
    if (is_closed_) {
      model_.check_answers();
      CHECK(done(port_.ask(close_connection{})) == "ok");
      CHECK(outcome(port_.call("late")).starts_with("connection_closed"));
      return;
    }
    while (!model_.is_ready && !is_closed_ && model_.last_number > 0
           && chance(50))
      take_handshake_step();
    if (is_closed_) {
      finish();
      return;
    }
    if (model_.is_ready)
      model_.sync();
    is_draining_ = (model_.is_ready || stage_ != stage::starting) && can_drain()
                   && chance(50);
    auto closed = port_.ask(close_connection{is_draining_ ? 1h : 0h});
    if (is_draining_) {
      CHECK(outcome(port_.call("late")).starts_with("connection_closed"));
      drain();
    }
    model_.fail_all();
    model_.check_answers();
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
    return std::any_of(model_.requests.begin(), model_.requests.end(), is_open)
           && !std::any_of(model_.requests.begin(), model_.requests.end(),
                           takes_long);
  }

  /// Answers all that is open, unless the server is lost before.
  void drain() {
    while (can_drain() && !is_closed_) {
      if (!model_.is_ready) {
        take_handshake_step();
      } else if (chance(4)) {
        model_.trace("dies in the drain");
        port_.die();
        return;
      } else if (pick_written()) {
        answer();
        model_.read_expected();
      } else if (!model_.expected.empty()) {
        model_.read_expected();
      } else {
        model_.wait_for_next_message();
      }
    }
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
  connection_model model_;
  /// What the connection takes the server for, if it has found out.
  std::optional<era> era_ = {};
  stage stage_ = stage::starting;
  /// What the process was asked last, before it is ready.
  std::string question_ = {};
  /// This process was asked for `server/discover`.
  bool was_probed_ = false;
  /// This process has refused its first question.
  bool was_refused_ = false;
  bool was_ready_ = false;
  bool is_draining_ = false;
  /// The server was lost for good.
  bool is_closed_ = false;
  unsigned losses_ = 0;
  std::uint64_t last_cursor_ = 0;
  std::map<std::uint64_t, unsigned> rounds_;
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
