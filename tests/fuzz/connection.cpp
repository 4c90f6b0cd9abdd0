#include "caf_mcp/actors/client.hpp"
#include "caf_mcp/actors/connection/connection_actor.hpp"
#include "caf_mcp/actors/runtime.hpp"
#include "caf_mcp/messages/wire/decoder.hpp"

#include "tests/fuzz/require.hpp"
#include "tests/support/played_port.hpp"

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/event_based_actor.hpp>
#include <caf/scoped_actor.hpp>
#include <caf/send.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace caf_mcp {

namespace {

using clock_type = std::chrono::steady_clock;

/// Ends the fuzzer when one input takes too long: something hangs.
class watchdog {
public:
  watchdog() : thread_{[this](const std::stop_token& stop) { watch(stop); }} {
    // nop
  }

  void begin() {
    began_ = clock_type::now().time_since_epoch().count();
  }

private:
  void watch(const std::stop_token& stop) const {
    while (!stop.stop_requested()) {
      std::this_thread::sleep_for(std::chrono::milliseconds{200});
      const clock_type::time_point began{clock_type::duration{began_}};
      REQUIRE(clock_type::now() - began < std::chrono::seconds{60});
    }
  }

  std::atomic<clock_type::rep> began_
    = clock_type::now().time_since_epoch().count();
  std::jthread thread_;
};

/// The current port of the connection, which the input speaks for.
struct port_record {
  std::mutex mutex;
  port_listener listener;
  std::uint64_t generation = 0;
  std::uint64_t taken = 0;
  bool is_closed = true;

  void on_start(const port_config& config) {
    const std::lock_guard guard{mutex};
    listener = config.listener;
    generation = config.generation;
    taken = 0;
    is_closed = false;
  }

  void on_write(const port_write& message) {
    const std::lock_guard guard{mutex};
    taken += message.messages.size();
  }

  bool on_stop(std::uint64_t which) {
    const std::lock_guard guard{mutex};
    return which == generation && !std::exchange(is_closed, true);
  }

  void say(std::vector<incoming_message> messages) {
    const std::lock_guard guard{mutex};
    caf::anon_send(listener, port_received{generation, std::move(messages)});
  }

  void open() {
    const std::lock_guard guard{mutex};
    caf::anon_send(listener, port_opened{generation, 4711});
  }

  void die() {
    const std::lock_guard guard{mutex};
    if (!std::exchange(is_closed, true))
      caf::anon_send(listener, port_closed{generation, {}, taken, {}});
  }
};

/// Counts what the owner of subscriptions hears.
struct news_count {
  std::atomic<std::size_t> closed = 0;
};

caf::actor spawn_owner(caf::actor_system& system,
                       const std::shared_ptr<news_count>& count) {
  return system.spawn([count](caf::event_based_actor*) {
    return caf::behavior{
      [](const subscription_accepted&) {},
      [](const subscription_resumed&) {},
      [](const subscription_event&) {},
      [](const events_dropped&) {},
      [count](const subscription_closed&) { ++count->closed; },
    };
  });
}

handlers all_handlers() {
  handlers result;
  const handler_function give{
    [](const server_request&) -> caf::expected<payload> {
      return parse_payload(R"({"action":"accept","content":{},"roots":[]})");
    }};
  result.elicit_form = give;
  result.roots = give;
  result.others = give;
  return result;
}

/// What the first byte of an input chooses.
struct scenario {
  era_mode mode = era_mode::legacy;
  /// Whether the connection is ready before the first line of the input.
  bool is_ready = false;
  /// Whether the process dies at the end, before the connection is closed.
  bool dies = false;
  /// Whether all lines come in one turn.
  bool is_burst = false;
};

scenario read_scenario(std::uint8_t byte) {
  scenario result;
  result.mode = std::array{era_mode::legacy, era_mode::modern,
                           era_mode::automatic, era_mode::legacy}[byte & 3U];
  result.is_ready = (byte & 4U) != 0;
  result.dies = (byte & 8U) != 0;
  result.is_burst = (byte & 16U) != 0;
  return result;
}

constexpr std::string_view handshakes
  = R"({"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-03-26",)"
    R"("supportedVersions":["2026-07-28"],"capabilities":{"tools":)"
    R"({"listChanged":true},"resources":{"subscribe":true},"logging":{},)"
    R"("prompts":{},"completions":{}}}})";

class played_server {
public:
  played_server(port_record& port, bool is_burst)
    : port_{port}, is_burst_{is_burst} {
    // nop
  }

  /// A line of a single `!` is the death of the process.
  void write(std::string_view line) {
    if (line == "!") {
      flush();
      port_.die();
    } else if (auto message = reader_.decode(line)) {
      messages_.push_back(std::move(*message));
      if (!is_burst_)
        flush();
    }
  }

  void flush() {
    if (!messages_.empty())
      port_.say(std::exchange(messages_, {}));
  }

private:
  port_record& port_;
  bool is_burst_;
  decoder reader_;
  std::vector<incoming_message> messages_;
};

/// A system that lives as long as the process.
struct world {
  /// Comes first: CAF needs the types before all else.
  struct types {
    types() {
      init_global_meta_objects();
    }
  };

  types known;
  caf::actor_system_config config;
  caf::actor_system system{config};
  runtime host{system};
  watchdog watch;
};

request_options with_progress() {
  request_options result;
  result.wants_progress = true;
  result.reset_timeout_on_progress = true;
  return result;
}

void run(world& here, scenario how, std::string_view input) {
  here.watch.begin();
  const auto record = std::make_shared<port_record>();
  server_options options;
  options.mode = how.mode;
  options.max_reconnects = 1;
  auto server = spawn_connection_actor(
    here.host, std::make_shared<const server_options>(options), {},
    all_handlers(), {.ports = tests::played_ports(record)});
  caf::scoped_actor self{here.system};
  auto opened = ask(self.ptr(), server, open_connection{});
  ask(self, server, get_session{}); // the port is there
  record->open();
  played_server played{*record, how.is_burst};
  if (how.is_ready) {
    played.write(handshakes);
    played.flush();
  }
  // What was promised to callers.
  std::vector<decltype(ask(self.ptr(), server, send_request{}))> calls;
  for (const auto* name : {"a", "b"})
    calls.push_back(ask(self.ptr(), server,
                        call_tool(name, object_members{}, with_progress())));
  calls.push_back(ask(self.ptr(), server, send_request{"tools/list"}));
  calls.push_back(ask(self.ptr(), server, read_resource("x:y")));
  auto listed = ask(self.ptr(), server, list_all{});
  const auto news = std::make_shared<news_count>();
  const auto owner = spawn_owner(here.system, news);
  listen_filter filter{true, true, true, {"x:y", "x:z"}, log_level::info};
  auto subscribed
    = ask(self, server,
          listen{filter, {}, caf::actor_cast<caf::strong_actor_ptr>(owner)});
  while (!input.empty()) {
    const auto line = input.substr(0, input.find('\n'));
    input.remove_prefix(std::min(input.size(), line.size() + 1));
    played.write(line);
  }
  played.flush();
  if (how.dies)
    record->die();
  ask(self, server, close_connection{});
  // Each is kept once: a second answer would find no one who waits, a missing
  // one waits for the watchdog.
  auto take = [](auto& promise) {
    std::move(promise).receive([](const payload&) {}, [](const caf::error&) {});
  };
  for (auto& call : calls)
    take(call);
  take(listed);
  std::move(opened).receive([](const session_info&) {},
                            [](const caf::error&) {});
  while (news->closed < (subscribed ? 1 : 0))
    std::this_thread::yield();
  caf::anon_send_exit(owner, caf::exit_reason::user_shutdown);
  record->listener = nullptr;
  REQUIRE(news->closed == (subscribed ? 1 : 0));
}

} // namespace

} // namespace caf_mcp

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  // Never destroyed: at exit, CAF's logger is gone before an actor system.
  static auto& here = *new caf_mcp::world;
  if (size == 0)
    return 0;
  const std::string input(data + 1, data + size);
  caf_mcp::run(here, caf_mcp::read_scenario(data[0]), input);
  return 0;
}
