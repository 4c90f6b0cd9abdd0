#pragma once

#include "caf_mcp/actors/client.hpp"
#include "caf_mcp/actors/connection/connection_actor.hpp"
#include "caf_mcp/messages/error_info.hpp"

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/scoped_actor.hpp>

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tests {

/// A connection whose port is a small typed actor, as a test fixture: there is
/// no process, and the test plays the server. What the connection writes is
/// taken out line by line, as text: `request 2 tools/call {"name":"t"}`,
/// `notify notifications/cancelled {"requestId":2}`, `respond 7`.
class fake_port {
public:
  fake_port();
  ~fake_port();

  fake_port(const fake_port&) = delete;
  fake_port& operator=(const fake_port&) = delete;

  /// Spawns the connection. Change `options` and `answers` before.
  void spawn();

  /// Spawns the connection and makes it ready. The requests that follow get
  /// the ids from 2 on.
  void connect_legacy(std::string_view version = "2025-11-25");
  void connect_modern();

  // -- what the connection does -----------------------------------------------

  /// Returns the next message that was written; fails the test if none comes.
  std::string written();

  /// Returns whether nothing was written up to now that was not taken out.
  /// Writes a notification to find out, so the connection must be ready.
  bool wrote_nothing();

  /// Forgets what was written.
  void forget_written();

  // -- what the server does ---------------------------------------------------

  /// Waits until the connection has started a process.
  void wait_for_start();

  /// The process runs.
  void open();

  void say(std::vector<caf_mcp::incoming_message> messages);
  void answer(std::int64_t id, std::string_view result = "{}");
  void refuse(std::int64_t id, std::int64_t code, std::string_view message);
  void notify(std::string method, std::string_view params = "{}");

  /// The process exits with status 1. `unsent` are the requests of which no
  /// byte reached it.
  void die(std::vector<std::int64_t> unsent = {});

  // -- what a caller does -----------------------------------------------------

  /// Sends a message from the test's actor; see `outcome`.
  template <class Message>
  auto ask(Message message) {
    return caf_mcp::ask(self->ptr(), connection, std::move(message));
  }

  /// Sends a request from the test's actor; see `outcome`.
  auto call(std::string method, std::string_view params = "{}",
            caf_mcp::request_options options = {}) {
    return ask(caf_mcp::send_request{std::move(method),
                                     caf_mcp::parse_payload(params), options});
  }

  caf::actor_system& system() {
    return system_;
  }

  caf_mcp::server_options options;
  caf_mcp::handlers answers;
  caf_mcp::log_listener logs;
  /// See `connection_surroundings`.
  std::chrono::milliseconds backoff_min{2};
  caf_mcp::connection connection;

private:
  struct record;

  std::shared_ptr<record> record_;
  caf::actor_system_config config_;
  caf::actor_system system_;
  std::optional<caf_mcp::runtime> runtime_;

public:
  /// The actor of the test.
  std::optional<caf::scoped_actor> self;
};

/// Waits for the answer to `call`: the result as JSON, or the name of the error
/// and its message, `errc: message`.
template <class Handle>
std::string outcome(Handle&& answer) {
  std::string result;
  std::move(answer).receive(
    [&](const caf_mcp::payload& value) { result = value.to_json(); },
    [&](const caf::error& error) {
      auto info = caf_mcp::describe(error);
      result = info.name + ": " + info.message;
    });
  return result;
}

/// As `outcome`, for a message whose answer is empty: `ok`, or the error.
template <class Handle>
std::string done(Handle&& answer) {
  std::string result;
  std::move(answer).receive([&] { result = "ok"; },
                            [&](const caf::error& error) {
                              auto info = caf_mcp::describe(error);
                              result = info.name + ": " + info.message;
                            });
  return result;
}

/// Options of a request with this tag.
inline caf_mcp::request_options with_tag(std::uint64_t tag) {
  caf_mcp::request_options result;
  result.tag = tag;
  return result;
}

/// Options of a request with this timeout.
inline caf_mcp::request_options within(std::chrono::milliseconds time) {
  caf_mcp::request_options result;
  result.timeout = time;
  return result;
}

/// A handler with the same result for each request.
inline caf_mcp::handler_function always(std::string_view result) {
  return [text = std::string{result}](const caf_mcp::server_request&) {
    return caf::expected<caf_mcp::payload>{caf_mcp::parse_payload(text)};
  };
}

} // namespace tests
