#pragma once

#include "caf_mcp/actors/connection/reconnect_policy.hpp"
#include "caf_mcp/actors/handlers.hpp"
#include "caf_mcp/actors/hub/enduring_actor.hpp"
#include "caf_mcp/actors/hub/interfaces.hpp"
#include "caf_mcp/actors/hub/restart_rules.hpp"

#include <boost/asio/steady_timer.hpp>
#include <caf/actor_addr.hpp>
#include <caf/result.hpp>
#include <caf/typed_event_based_actor.hpp>
#include <caf/typed_response_promise.hpp>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace caf_mcp {

/// How a supervisor spawns a connection for each process, or row of processes,
/// of its server.
using connection_factory = std::function<connection(
  caf::actor_system& system, const std::shared_ptr<io_loop>& loop,
  std::shared_ptr<const server_options> options, log_listener logs,
  handlers answers)>;

/// Spawns the connection of a real server.
connection spawn_own_connection(caf::actor_system& system,
                                const std::shared_ptr<io_loop>& loop,
                                std::shared_ptr<const server_options> options,
                                log_listener logs, handlers answers);

/// What tests replace: they play the connections, and wait for nothing.
struct hub_surroundings {
  connection_factory connections = spawn_own_connection;
  std::chrono::milliseconds backoff_min = reconnect_policy::backoff_min;
};

/// What a supervisor is made of.
struct supervisor_config {
  std::string name;
  server_options options;
  supervision policy;
  log_listener logs;
  handlers answers;
  /// Gets every change of state. The only one who may start, stop and replace.
  caf::actor_addr owner;
  hub_surroundings around = {};
};

/// The actor behind one server of a hub; outlives the connections it makes.
///
/// Requests are delegated to the current connection, which so knows their
/// senders: it answers them, reports progress to them, and cancels what they
/// leave behind. Runs on the loop of its connections, so that this costs no
/// change of thread.
///
/// Links: its connections. Monitors: its hub. Ends when its hub ends, when it
/// is stopped by it, or with the runtime. Invariants: a message of a connection
/// that was replaced changes nothing; no other actor ends it.
class supervisor_actor final
  : public enduring_actor<supervisor_and_listener::base> {
public:
  supervisor_actor(caf::actor_config& cfg, std::shared_ptr<io_loop> loop,
                   supervisor_config config);

  const char* name() const override {
    return "caf_mcp.supervisor";
  }

  void on_exit() override;

protected:
  behavior_type make_behavior() override;

private:
  using clock = std::chrono::steady_clock;

  /// A start that the hub waits for. It waits for no more than
  /// `parallel_starts` at a time, restarts that a user asked for aside.
  struct awaited_start {
    caf::typed_response_promise<void> promise;
    bool is_restart = false;
  };

  caf::result<session_info> on_get_session();
  caf::result<void> on_start(const start_server& message);
  caf::result<void> on_stop(const stop_server& message);
  caf::result<server_status> on_get_status();
  caf::result<void> on_replace(const replace_server& message);
  void on_dependencies(const dependencies_changed& message);
  void on_status(const status_changed& message);
  void on_restart_due(const restart_due& message);
  void on_actor_exit(const caf::actor_addr& source, const caf::error& reason);
  void watch_hub();
  void on_hub_down(const caf::error& reason);

  /// Passes a message of a caller on to the connection, which is made if need
  /// be; or fails at once, if the server is down.
  template <class Answer, class Message>
  caf::result<Answer> pass_on(const Message& message);

  /// The same for what is counted as a request.
  template <class Message>
  caf::result<payload> on_request(const Message& message);

  /// The same for requests of a pipeline.
  template <class Answer, class Message>
  caf::result<Answer> on_pipelined(const Message& message);

  /// Passes on what is about something that runs, if anything does.
  template <class Message>
  caf::result<void> pass_on_if_there(const Message& message);

  /// Returns an error unless the current sender is the hub.
  caf::error check_sender();

  /// Returns whether the server stays down until somebody acts.
  bool is_down() const noexcept;

  /// Returns why the server cannot be used now, if it is down.
  caf::error refusal() const;

  /// Returns whether requests are kept, for there can be no connection yet.
  bool is_held() const noexcept;
  /// Keeps a message of a caller until the servers are ready that this one
  /// depends on.
  template <class Answer, class Message>
  caf::result<Answer> hold(const Message& message);
  /// Passes on what was kept, or fails it.
  void release_held(const caf::error& error);
  /// Asks the hub for the servers that this one depends on.
  void want_dependencies();
  /// Stops the server, as one that it depends on is not there.
  void pause(const dependencies_changed& message);

  /// Makes a connection, unless others must be ready before.
  void connect();
  void disconnect(caf::timespan drain = caf::timespan{0});
  void forget_failures();
  void on_ready(const session_info& session);
  /// Applies the rules. Returns whether the server is to be started again.
  bool on_lost(const close_reason& reason);
  void wait_and_connect();
  void set_state(server_state next);
  void end_if_alone();
  server_status status() const;

  void succeed_starts();
  void fail_starts(const caf::error& error);
  /// Lets the hub start others while this server waits for one of them.
  void yield_start(const caf::error& error);

  supervisor_config config_;
  restart_rules rules_;
  reconnect_policy backoff_;

  connection current_;
  /// All connections that have not ended.
  std::vector<caf::actor_addr> children_;
  std::uint64_t generation_ = 0;
  std::size_t connections_leaving_ = 0;

  server_state state_ = server_state::idle;
  /// Of the server that is ready.
  session_info session_;
  /// Why the server was lost last.
  std::optional<close_reason> last_loss_;
  std::uint64_t starts_ = 0;
  std::uint64_t requests_ = 0;

  /// Whether those are ready that the server depends on.
  bool has_dependencies_ = true;
  /// Whether the server is to run as soon as they are.
  bool is_wanted_ = false;
  /// What callers have sent meanwhile.
  std::vector<std::function<void(const caf::error&)>> held_;

  std::vector<awaited_start> awaited_starts_;
  std::vector<caf::typed_response_promise<void>> stop_promises_;
  std::optional<boost::asio::steady_timer> timer_;
};

} // namespace caf_mcp
