#pragma once

#include "caf_mcp/actors/port/port_owner.hpp"

#include "tests/support/leftovers.hpp"

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace tests {

/// A port owner with a real server. Its listener is a small actor that keeps
/// what it is told; here a test takes it out, event by event. Waits for an
/// event are bounded; one that does not come fails the test.
class server_port {
public:
  /// What a port owner tells, with the server's messages one by one.
  using event = std::variant<caf_mcp::port_opened, caf_mcp::incoming_message,
                             caf_mcp::port_closed>;

  // -- what the next event must be --------------------------------------------

  /// Returns the pid.
  std::int64_t opened();
  caf_mcp::incoming_message received();
  caf_mcp::incoming_response response();
  caf_mcp::port_closed closed();

  /// Drops messages up to `port_closed`.
  caf_mcp::port_closed end();

  /// Returns the next event, whatever it is.
  event next();

  /// Returns what the log actor got so far.
  caf_mcp::server_output log() const;

  // -- what is done to the port owner -----------------------------------------

  void write(caf_mcp::outgoing_message message);
  void request(std::int64_t id, std::string method = "tools/call",
               caf_mcp::payload params = {});

  /// Sends `port_stop`, and `stop` waits for its answer; returns whether it is
  /// no error.
  void ask_to_stop();
  bool stop();

  /// Makes the log actor get stuck in its next message, or go on.
  void hold_log(bool is_held);

  void kill();
  void kill_listener();
  void end_listener();

private:
  friend class port_host;

  struct record;

  caf::actor_system* system_ = nullptr;
  std::shared_ptr<record> record_;
  caf_mcp::port_listener listener_;
  caf_mcp::port port_;
};

/// A loop and what else port owners need, as a test fixture. After the test no
/// child and no descriptor must be left.
class port_host {
public:
  port_host();
  ~port_host();

  port_host(const port_host&) = delete;
  port_host& operator=(const port_host&) = delete;

  /// Starts a server, all on the same loop.
  server_port start(caf_mcp::server_options options);

  /// Starts a server and waits until it runs.
  server_port run(caf_mcp::server_options options);

  /// Runs `action` in the loop's thread; waits for it.
  void on_loop(std::function<void()> action);

  /// Ends the loop early.
  void stop_loop();

private:
  leftover_check leftovers_;
  caf::actor_system_config config_;
  caf::actor_system system_;
  std::shared_ptr<caf_mcp::io_loop> loop_;
};

/// Returns options that run a program of the tests, with short graces and with
/// its stderr captured.
caf_mcp::server_options server(std::string_view name,
                               std::vector<std::string> args = {});

/// Returns options that run a shell script; it sees `args` as `$1` and so on.
caf_mcp::server_options script(std::string text,
                               std::vector<std::string> args = {});

} // namespace tests
