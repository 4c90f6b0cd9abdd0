#include "tests/support/fake_port.hpp"

#include "tests/support/played_port.hpp"

#include <caf/actor_cast.hpp>
#include <caf/send.hpp>
#include <catch2/catch_test_macros.hpp>

#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <variant>

namespace tests {

using namespace caf_mcp;

namespace {

std::string with_params(std::string text, const payload& params) {
  return params ? text + ' ' + params.to_json() : text;
}

std::string words(const outgoing_request& message) {
  return with_params("request " + std::to_string(message.id) + ' '
                       + message.method,
                     message.params);
}

std::string words(const outgoing_notification& message) {
  return with_params("notify " + message.method, message.params);
}

std::string words(const outgoing_response& message) {
  const auto text = "respond " + message.id_json;
  if (const auto* error = std::get_if<rpc_error>(&message.outcome))
    return text + " error " + std::to_string(error->code);
  return with_params(text, std::get<payload>(message.outcome));
}

} // namespace

/// What the test and the fake ports, one after the other, share.
struct fake_port::record {
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<std::string> written;
  port_listener listener;
  std::uint64_t generation = 0;
  /// Messages that the current port has taken.
  std::uint64_t taken = 0;
  bool is_closed = true;

  void on_start(const port_config& config) {
    const std::lock_guard guard{mutex};
    listener = config.listener;
    generation = config.generation;
    taken = 0;
    is_closed = false;
    changed.notify_all();
  }

  void on_write(const port_write& message) {
    const std::lock_guard guard{mutex};
    taken += message.messages.size();
    for (const auto& each : message.messages)
      written.push_back(
        std::visit([](const auto& what) { return words(what); }, each));
    changed.notify_all();
  }

  /// Returns whether the port that is asked to stop has yet to say that it is
  /// closed.
  bool on_stop(std::uint64_t which) {
    const std::lock_guard guard{mutex};
    return which == generation && !std::exchange(is_closed, true);
  }

  template <class Predicate>
  std::unique_lock<std::mutex> wait(Predicate predicate) {
    std::unique_lock guard{mutex};
    if (!changed.wait_for(guard, std::chrono::seconds{20}, predicate))
      FAIL("the connection did not do what the test waits for");
    return guard;
  }
};

fake_port::fake_port()
  : record_{std::make_shared<record>()},
    // Workers are woken up for each message, instead of looking now and then.
    system_{config_.set("caf.scheduler.policy", "sharing")},
    runtime_{std::in_place, system_} {
  self.emplace(system_);
}

fake_port::~fake_port() {
  self.reset();
  connection = nullptr;
  record_->listener = nullptr;
  runtime_.reset();
}

void fake_port::spawn() {
  connection = spawn_connection_actor(
    *runtime_, std::make_shared<const server_options>(options), logs, answers,
    {played_ports(record_), backoff_min});
}

void fake_port::connect_legacy(std::string_view version) {
  options.mode = era_mode::legacy;
  if (!connection)
    spawn();
  auto opened = ask(open_connection{});
  open();
  REQUIRE(written().starts_with("request 1 initialize"));
  answer(1, R"({"capabilities":{"logging":{},"tools":{}},"protocolVersion":")"
              + std::string{version} + R"("})");
  REQUIRE(written() == "notify notifications/initialized");
  std::move(opened).receive(
    [](const session_info&) {},
    [](const caf::error& error) { FAIL(describe(error).message); });
}

void fake_port::connect_modern() {
  if (!connection)
    spawn();
  auto opened = ask(open_connection{});
  open();
  REQUIRE(written().starts_with("request 1 server/discover"));
  answer(1, R"({"capabilities":{"tools":{}},
                "supportedVersions":["2026-07-28"]})");
  std::move(opened).receive(
    [](const session_info&) {},
    [](const caf::error& error) { FAIL(describe(error).message); });
}

std::string fake_port::written() {
  auto guard = record_->wait([this] { return !record_->written.empty(); });
  auto result = std::move(record_->written.front());
  record_->written.pop_front();
  return result;
}

bool fake_port::wrote_nothing() {
  REQUIRE(done(ask(send_notification{"test/mark"})) == "ok");
  return written() == "notify test/mark";
}

void fake_port::forget_written() {
  const std::lock_guard guard{record_->mutex};
  record_->written.clear();
}

void fake_port::wait_for_start() {
  record_->wait([this] { return !record_->is_closed; });
}

void fake_port::open() {
  auto guard = record_->wait([this] { return !record_->is_closed; });
  caf::anon_send(record_->listener, port_opened{record_->generation, 4711});
}

void fake_port::say(std::vector<incoming_message> messages) {
  const std::lock_guard guard{record_->mutex};
  caf::anon_send(record_->listener,
                 port_received{record_->generation, std::move(messages)});
}

void fake_port::answer(std::int64_t id, std::string_view result) {
  say({incoming_response{id, id_match::exact, parse_payload(result), {}}});
}

void fake_port::refuse(std::int64_t id, std::int64_t code,
                       std::string_view message) {
  payload error{boost::json::value{{"code", code}, {"message", message}}};
  say({incoming_response{id, id_match::exact, {}, std::move(error)}});
}

void fake_port::notify(std::string method, std::string_view params) {
  say({incoming_notification{std::move(method), parse_payload(params)}});
}

void fake_port::die(std::vector<std::int64_t> unsent) {
  close_reason reason;
  reason.cause = close_cause::exit_status;
  reason.number = 1;
  const std::lock_guard guard{record_->mutex};
  record_->is_closed = true;
  caf::anon_send(record_->listener,
                 port_closed{record_->generation, std::move(reason),
                             record_->taken, std::move(unsent)});
}

} // namespace tests
