#pragma once

#include "caf_mcp/actors/hub.hpp"
#include "caf_mcp/actors/hub/catalogue.hpp"
#include "caf_mcp/actors/hub/catalogue_watch.hpp"
#include "caf_mcp/actors/hub/enduring_actor.hpp"
#include "caf_mcp/actors/hub/interfaces.hpp"
#include "caf_mcp/actors/hub/list_refresh.hpp"
#include "caf_mcp/actors/hub/restart_rules.hpp"
#include "caf_mcp/actors/hub/supervisor_actor.hpp"

#include <caf/actor_addr.hpp>
#include <caf/result.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
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
            runtime& host, std::vector<server_entry> servers, hub_options how,
            hub_surroundings around = {});

  const char* name() const override {
    return "caf_mcp.hub";
  }

protected:
  behavior_type make_behavior() override;

  void after_messages() override;

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
    /// Which lists are asked for, while somebody watches the catalogue.
    list_refresh lists;
    /// The hub's subscription to changes of the lists; 0: none.
    std::uint64_t subscription = 0;
    /// Whether it has asked for one.
    bool is_subscribing = false;
    /// Events of it that were taken, and whose lists have not come yet.
    std::uint64_t owed_credit = 0;
  };

  struct watcher {
    caf::actor_addr address;
    catalogue_watch told;
  };

  caf::result<mcp_server> on_look_up(const look_up& message);
  caf::result<std::vector<server_status>> on_get_servers();
  caf::result<void> on_watch();
  caf::result<void> on_put(const put_server& message);
  caf::result<void> on_remove(const remove_server& message);
  caf::result<void> on_restart(const restart_server& message);
  caf::result<reload_report> on_reload(const reload_servers& message);
  void on_changed(const server_changed& message);
  void on_dependencies_wanted();
  void on_actor_exit(const caf::actor_addr& source, const caf::error& reason);
  void on_actor_down(const caf::actor_addr& source, const caf::error& reason);
  void on_supervisor_down(child& which, const caf::error& reason);

  child* find(std::string_view name);
  caf::error unknown(std::string_view name) const;
  /// Returns the child called `name` if it can be used.
  caf::expected<child*> usable(std::string_view name);

  // -- the catalogue (hub_catalogue.cpp) --------------------------------------

  caf::result<payload> on_get_catalogue();
  caf::result<void> on_watch_catalogue();
  void on_list_event(const subscription_event& message);
  /// Changes of the lists may have been missed.
  void on_lists_unknown(std::uint64_t subscription);
  void on_subscription_closed(const subscription_closed& message);
  /// Asks for a list, and calls `done` when it has come, or failed to.
  void ask_for_list(const child& which, list_kind kind,
                    std::function<void(const catalogue::ticket&)> done);
  /// Keeps the lists of a server fresh, if somebody watches and it is ready.
  void follow(child& which);
  void subscribe(child& which);
  void on_subscribed(const std::string& name, std::uint64_t id);
  void unsubscribe(child& which);
  void refresh(child& which, list_kind kind);
  void ask_to_refresh(const child& which, list_kind kind);
  void on_refreshed(const catalogue::ticket& begun);
  void unfollow_all();
  child* find_by_subscription(std::uint64_t id);
  /// Returns whether the first message can be sent: no server is about to list
  /// what it offers for the first time.
  bool has_whole_catalogue() const;
  catalogue_offers offers() const;
  void tell_catalogue_watcher(watcher& whom, const catalogue_offers& now);

  // -- children ---------------------------------------------------------------

  /// Monitors an actor, unless that was done.
  void watch_watcher(const caf::strong_actor_ptr& whom);
  void watch_actor(const caf::strong_actor_ptr& whom);
  void add(server_entry entry);
  void replace(child& which, server_entry entry, caf::timespan drain);
  /// All children are among `entries`.
  void put_in_order_of(const std::vector<server_entry>& entries);
  void spawn(child& which);
  /// Forgets what the server of this child has listed, and what it still lists.
  void forget_lists(child& which);
  /// The same of its process alone: its lists stay, stale.
  void lose_lists(child& which);
  /// Tells watchers, and makes the supervisor stop its server; calls `done`
  /// when that is gone.
  template <class Done>
  void stop(child& which, caf::timespan drain, Done done);
  /// Starts a server if it is eager, once its turn has come. Its actor is there
  /// and those of all that it depends on.
  void start_soon(const child& which);
  void want(const child& which);
  void start_next();
  /// Returns how those are that this server depends on.
  dependencies_changed dependencies_of(const child& which);
  void tell_dependents(const std::string& server);
  /// Counts a restart of any server. Returns whether it is one too many.
  bool has_restarted_too_often(const caf::error& lost);
  void tell_watchers(const server_status& status);

  runtime& host_;
  hub_options options_;
  /// Those of the configuration, until the actor runs.
  std::vector<server_entry> to_add_;
  std::vector<child> children_;
  std::deque<std::string> to_start_;
  std::size_t starting_ = 0;
  hub_surroundings around_;
  /// Counts the restarts of all servers together.
  std::optional<restart_rules> all_losses_;
  catalogue catalogue_;
  std::vector<watcher> catalogue_watchers_;
  /// Whether watchers of the catalogue may have to be told something.
  bool is_catalogue_new_ = false;
  std::vector<caf::actor_addr> watchers_;
};

} // namespace caf_mcp
