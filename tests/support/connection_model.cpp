#include "tests/support/connection_model.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <chrono>
#include <iostream>
#include <thread>

namespace tests {

using namespace caf_mcp;
using namespace std::chrono_literals;

connection_model::connection_model(fake_port& port, bool awaits_pauses,
                                   bool traces)
  : port_{port}, awaits_pauses_{awaits_pauses}, traces_{traces} {
  for (auto i = 0; i < 3; ++i)
    callers.emplace_back(port.system());
}

// -- what is said -------------------------------------------------------------

void connection_model::expect_written(std::uint64_t number,
                                      const std::string& kind) {
  (is_ready ? expected : held).push_back({kind + ' ' + std::to_string(number)});
}

void connection_model::give_up(
  const std::function<bool(const model_request&)>& is_meant,
  const std::string& error) {
  group cancelled;
  for (auto& [number, request] : requests) {
    if (request.now == state::complete || !is_meant(request))
      continue;
    if (request.now == state::between)
      late[number] = !request.is_task;
    if (request.is_task)
      cancelled.insert("endtask " + std::to_string(number));
    else if (request.waits_for_answer())
      cancelled.insert("cancel " + std::to_string(number));
    else if (request.now == state::held)
      std::erase_if(held, [number = number](const group& each) {
        return each.contains("call " + std::to_string(number))
               || each.contains("list " + std::to_string(number));
      });
    complete(number, error);
  }
  if (!cancelled.empty())
    expected.push_back(std::move(cancelled));
}

void connection_model::complete(std::uint64_t number,
                                const std::string& start) {
  auto& request = requests[number];
  request.now = state::complete;
  if (start.empty())
    return; // its caller is gone
  if (request.handle)
    due_.emplace(number, start);
  else
    callers[request.caller].due.emplace(number, start);
}

void connection_model::fail_all() {
  for (const auto& [number, request] : requests)
    if (request.now != state::complete)
      complete(number, "connection_closed");
}

void connection_model::on_ready() {
  is_ready = true;
  for (auto& each : std::exchange(held, {}))
    expected.push_back(std::move(each));
}

// -- what is seen -------------------------------------------------------------

std::int64_t connection_model::id_of(const std::string& line) {
  REQUIRE(line.starts_with("request "));
  return std::stoll(line.substr(8));
}

void connection_model::read_expected() {
  for (auto next = std::exchange(expected, {}); auto& each : next)
    while (!each.empty())
      take(each, next_line());
}

std::string connection_model::next_line() {
  for (;;) {
    auto line = port_.written();
    if (!take_unordered(line))
      return line;
    trace(line + ", whenever it comes");
  }
}

void connection_model::wait_for_next_message() {
  read_expected();
  auto is_due = [this](const auto& each) {
    return each.second.now == state::between
           && (awaits_pauses_ || !each.second.is_pausing);
  };
  if (std::any_of(requests.begin(), requests.end(), is_due)) {
    const auto line = port_.written();
    INFO("written: " << line);
    REQUIRE(take_unordered(line));
  }
}

void connection_model::sync() {
  read_expected();
  REQUIRE(done(port_.ask(send_notification{"test/mark"})) == "ok");
  REQUIRE(next_line() == "notify test/mark");
  REQUIRE(owed_.empty());
  late.clear();
  settle();
  check_answers();
}

void connection_model::settle() {
  const auto open = static_cast<std::size_t>(
    std::count_if(requests.begin(), requests.end(), [](const auto& each) {
      return each.second.now != state::complete;
    }));
  const auto deadline = std::chrono::steady_clock::now() + 20s;
  std::size_t seen = 0;
  do {
    port_.ask(get_session{})
      .receive(
        [&](const session_info& info) {
          seen = info.in_flight - (info.state == connection_state::connecting);
        },
        [](const caf::error& error) { FAIL(to_string(error)); });
    if (seen == open || !is_ready)
      return;
    std::this_thread::yield();
  } while (std::chrono::steady_clock::now() < deadline);
  INFO("in flight: " << seen << ", expected: " << open);
  FAIL("a request was completed that should not be, or was not");
}

void connection_model::check_answers() {
  for (const auto& [number, start] : std::exchange(due_, {})) {
    INFO("request " << number);
    auto& handle = requests[number].handle;
    const auto seen = outcome(*handle);
    INFO("outcome: " << seen << ", expected: " << start);
    CHECK(seen.starts_with(start));
    deliver(number);
  }
  for (auto& caller : callers)
    while (!caller.due.empty())
      take_pipelined(caller);
}

void connection_model::trace(const std::string& line) const {
  if (traces_)
    std::cerr << line << '\n';
}

bool connection_model::take_unordered(const std::string& line) {
  if (line.starts_with("notify notifications/cancelled")) {
    const auto number = number_of_cancelled(line);
    return number && owed_.erase(*number) > 0;
  }
  const auto is_get = line.find(" tasks/get ") != std::string::npos;
  if (!is_get && line.find(" tools/call ") == std::string::npos)
    return false;
  const auto number = number_after(line, is_get ? R"("taskId":")" : R"("n":)");
  auto found = requests.find(number);
  if (found == requests.end() || found->second.is_task != is_get)
    return false;
  auto& request = found->second;
  if (request.now == state::between) {
    request.now = state::later_round;
    request.is_pausing = false;
  } else if (auto over = late.find(number); over != late.end()) {
    if (over->second)
      owed_.insert(number);
    late.erase(over);
  } else {
    return false;
  }
  request.id = id_of(line);
  return true;
}

std::optional<std::uint64_t>
connection_model::number_of_cancelled(const std::string& line) {
  const auto id = std::stoll(line.substr(line.find(':') + 1));
  for (const auto& [number, request] : requests)
    if (request.id == id)
      return number;
  return std::nullopt;
}

void connection_model::take(group& from, const std::string& line) {
  trace(line + ", expected: " + *from.begin());
  INFO("written: " << line << ", expected: " << *from.begin());
  const auto seen = read(line, *from.begin());
  REQUIRE(from.erase(seen) == 1);
}

std::string connection_model::read(const std::string& line,
                                   const std::string& wanted) {
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
  if (auto found = requests.find(number); found != requests.end()) {
    found->second.id = id;
    if (found->second.now == state::held)
      found->second.now = state::written;
  }
  return kind + ' ' + std::to_string(number);
}

std::uint64_t connection_model::number_after(const std::string& line,
                                             const std::string& key) {
  const auto at = line.find(key);
  REQUIRE(at != std::string::npos);
  return std::stoull(line.substr(at + key.size()));
}

void connection_model::take_progress(std::size_t caller) {
  auto has_more = true;
  while (has_more)
    (*callers[caller].self)
      ->receive([&](const progress& report) { take(report, caller); },
                caf::after(0s) >> [&] { has_more = false; });
}

void connection_model::take(const progress& report, std::size_t caller) {
  auto& request = requests.at(std::stoull(report.message));
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

void connection_model::deliver(std::uint64_t number) {
  auto& request = requests[number];
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

void connection_model::take_pipelined(model_caller& caller) {
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

} // namespace tests
