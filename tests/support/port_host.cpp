#include "tests/support/port_host.hpp"

#include "caf_mcp/actors/client.hpp"

#include "tests/support/paths.hpp"

#include <boost/asio/post.hpp>
#include <caf/exit_reason.hpp>
#include <caf/scoped_actor.hpp>
#include <caf/send.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <chrono>
#include <condition_variable>
#include <deque>
#include <future>
#include <mutex>
#include <stdexcept>

using namespace caf_mcp;

namespace tests {

/// Filled by the listener and the log actor, read by the test.
struct server_port::record {
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<event> events;
  server_output log;
  bool log_is_held = false;

  /// Takes what the log actor gets, unless it is held.
  void add_output(const server_output& output) {
    std::unique_lock guard{mutex};
    changed.wait(guard, [this] { return !log_is_held; });
    auto append = [](auto& to, const auto& from) {
      to.insert(to.end(), from.begin(), from.end());
    };
    append(log.stderr_lines, output.stderr_lines);
    append(log.junk_lines, output.junk_lines);
    log.dropped += output.dropped;
  }

  void add(event what) {
    std::unique_lock guard{mutex};
    events.push_back(std::move(what));
    changed.notify_all();
  }
};

server_port::event server_port::next() {
  std::unique_lock guard{record_->mutex};
  if (!record_->changed.wait_for(guard, std::chrono::seconds{20},
                                 [this] { return !record_->events.empty(); }))
    throw std::runtime_error{"the port owner says nothing"};
  auto result = std::move(record_->events.front());
  record_->events.pop_front();
  return result;
}

namespace {

template <class T>
T expect(server_port::event what) {
  if (const auto* end = std::get_if<port_closed>(&what))
    UNSCOPED_INFO(to_sentence(end->reason));
  REQUIRE(std::holds_alternative<T>(what));
  return std::get<T>(std::move(what));
}

} // namespace

std::int64_t server_port::opened() {
  return expect<port_opened>(next()).pid;
}

incoming_message server_port::received() {
  return expect<incoming_message>(next());
}

incoming_response server_port::response() {
  auto message = received();
  REQUIRE(std::holds_alternative<incoming_response>(message));
  return std::get<incoming_response>(std::move(message));
}

port_closed server_port::closed() {
  return expect<port_closed>(next());
}

port_closed server_port::end() {
  auto what = next();
  while (!std::holds_alternative<port_closed>(what))
    what = next();
  return std::get<port_closed>(std::move(what));
}

server_output server_port::log() const {
  std::unique_lock guard{record_->mutex};
  return record_->log;
}

void server_port::hold_log(bool is_held) {
  std::unique_lock guard{record_->mutex};
  record_->log_is_held = is_held;
  record_->changed.notify_all();
}

void server_port::write(outgoing_message message) {
  caf::scoped_actor self{*system_};
  tell(self, port_, port_write{{std::move(message)}});
}

void server_port::request(std::int64_t id, std::string method, payload params) {
  write(outgoing_request{id, std::move(method), std::move(params), {}, false});
}

void server_port::ask_to_stop() {
  caf::scoped_actor self{*system_};
  tell(self, port_, port_stop{});
}

bool server_port::stop() {
  caf::scoped_actor self{*system_};
  auto answered = false;
  caf_version::ask(*self.ptr(), port_, std::chrono::seconds{20}, port_stop{})
    .receive([&] { answered = true; }, [](const caf::error&) {});
  return answered;
}

void server_port::kill() {
  caf::anon_send_exit(port_, caf::exit_reason::kill);
}

void server_port::kill_listener() {
  caf::anon_send_exit(listener_, caf::exit_reason::kill);
}

void server_port::end_listener() {
  caf::anon_send_exit(listener_, caf::exit_reason::user_shutdown);
}

port_host::port_host()
  : system_{config_}, loop_{std::make_shared<io_loop>(system_)} {
  loop_->start();
}

port_host::~port_host() {
  stop_loop();
}

void port_host::stop_loop() {
  if (auto loop = std::exchange(loop_, nullptr))
    loop->stop();
}

void port_host::on_loop(std::function<void()> action) {
  std::promise<void> done;
  boost::asio::post(loop_->context(), [&] {
    action();
    done.set_value();
  });
  done.get_future().wait();
}

server_port port_host::start(server_options options) {
  server_port result;
  result.system_ = &system_;
  using shared_record = std::shared_ptr<server_port::record>;
  result.record_ = std::make_shared<server_port::record>();
  result.listener_ = system_.spawn(
    [](port_listener::pointer,
       shared_record record) -> port_listener::behavior_type {
      return {
        [record](const port_opened& message) { record->add(message); },
        [record](const port_received& message) {
          for (const auto& each : message.messages)
            record->add(each);
        },
        [record](const port_closed& message) { record->add(message); },
      };
    },
    result.record_);
  port_config config;
  config.logs = system_.spawn(
    [](log_listener::pointer,
       shared_record record) -> log_listener::behavior_type {
      return {[record](const server_output& message) {
        record->add_output(message);
      }};
    },
    result.record_);
  config.listener = result.listener_;
  config.options = std::make_shared<server_options>(std::move(options));
  config.generation = 7;
  result.port_ = spawn_port_owner(system_, loop_, std::move(config));
  return result;
}

server_port port_host::run(server_options options) {
  auto result = start(std::move(options));
  result.opened();
  return result;
}

server_options server(std::string_view name, std::vector<std::string> args) {
  server_options options;
  options.command = binary(name);
  options.args = std::move(args);
  options.stderr_to.kind = stderr_kind::capture;
  options.stdin_grace = std::chrono::milliseconds{300};
  options.term_grace = std::chrono::milliseconds{300};
  return options;
}

server_options script(std::string text, std::vector<std::string> args) {
  auto options = server("");
  options.command = "/bin/sh";
  options.args = {"-c", std::move(text), "sh"};
  options.args.insert(options.args.end(), args.begin(), args.end());
  return options;
}

} // namespace tests
