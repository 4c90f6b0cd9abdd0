#pragma once

#include "caf_mcp/actors/hub.hpp"
#include "caf_mcp/actors/hub/catalogue.hpp"
#include "caf_mcp/actors/hub/enduring_actor.hpp"
#include "caf_mcp/actors/hub/interfaces.hpp"
#include "caf_mcp/actors/hub/restart_rules.hpp"

#include <caf/actor_addr.hpp>
#include <caf/result.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace caf_mcp {

/// The actor behind `hub`.
///
/// Links: nobody. Monitors: its supervisors, and its watchers, each once. Ends
/// with the runtime, or when it is told to; its supervisors, which monitor it,
/// end with it. Invariants: no more than `parallel_starts` servers are on their
/// first way up; no other actor ends it.
class hub_actor final : public enduring_actor<hub_and_listener::base> {
public:
  /// `host` outlives every actor on its loops.
  hub_actor(caf::actor_config& cfg, std::shared_ptr<io_loop> loop,
            runtime& host, std::vector<server_entry> servers, hub_options how);

  const char* name() const override {
    return "caf_mcp.hub";
  }

protected:
  behavior_type make_behavior() override;

private:
  /// One entry of the configuration.
  struct child {
    server_entry entry;
    /// Empty unless the entry is usable.
    supervisor actor;
    /// Where it runs.
    std::shared_ptr<io_loop> loop;
    /// Counts supervisors that have ended without being told to.
    restart_rules losses;
    /// As of its last change of state.
    server_status status;
    /// Differs for each server that has stood here: a list of one that was
    /// replaced is not taken for a list of the next.
    std::uint64_t generation = 0;
  };

  caf::result<mcp_server> on_look_up(const look_up& message);
  caf::result<std::vector<server_status>> on_get_servers();
  caf::result<payload> on_get_catalogue();
  caf::result<void> on_watch();
  caf::result<void> on_put(const put_server& message);
  caf::result<void> on_remove(const remove_server& message);
  caf::result<void> on_restart(const restart_server& message);
  caf::result<reload_report> on_reload(const reload_servers& message);
  void on_changed(const server_changed& message);
  void on_actor_exit(const caf::actor_addr& source, const caf::error& reason);
  void on_actor_down(const caf::actor_addr& source, const caf::error& reason);
  void on_supervisor_down(child& which, const caf::error& reason);

  child* find(std::string_view name);
  caf::error unknown(std::string_view name) const;
  /// Returns the child called `name` if it can be used.
  caf::expected<child*> usable(std::string_view name);

  void watch_actor(const caf::strong_actor_ptr& whom);
  void add(server_entry entry);
  void replace(child& which, server_entry entry);
  /// All children are among `entries`.
  void put_in_order_of(const std::vector<server_entry>& entries);
  void spawn(child& which);
  /// Forgets what the server of this child has listed, and what it still lists.
  void forget_lists(child& which);
  /// Tells watchers, and makes the supervisor stop its server; calls `done`
  /// when that is gone.
  template <class Done>
  void stop(child& which, Done done);
  void start_soon(const child& which);
  void start_next();
  void tell_watchers(const server_status& status);

  runtime& host_;
  hub_options options_;
  /// Those of the configuration, until the actor runs.
  std::vector<server_entry> to_add_;
  std::vector<child> children_;
  std::deque<std::string> to_start_;
  std::size_t starting_ = 0;
  catalogue catalogue_;
  std::uint64_t last_generation_ = 0;
  std::vector<caf::actor_addr> watchers_;
};

} // namespace caf_mcp
