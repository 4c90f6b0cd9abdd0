#include "caf_mcp/actors/hub/hub_actor.hpp"

#include "caf_mcp/actors/hub.hpp"
#include "caf_mcp/actors/hub/dependencies.hpp"
#include "caf_mcp/messages/close_reason.hpp"
#include "caf_mcp/messages/config/server_config.hpp"
#include "caf_mcp/messages/config/validate_options.hpp"
#include "caf_mcp/messages/error_info.hpp"

#include <caf/actor_cast.hpp>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace caf_mcp {

namespace {

/// The state of an entry before anything is started.
server_state initial_state(const server_entry& entry) noexcept {
  switch (entry.state) {
    case server_entry_state::disabled:
      return server_state::disabled;
    case server_entry_state::unsupported:
      return server_state::unsupported;
    case server_entry_state::broken:
      return server_state::broken;
    case server_entry_state::usable:
      break;
  }
  return server_state::idle;
}

/// What is known of an entry by its configuration alone.
server_status blank_status(const server_entry& entry) {
  server_status result;
  result.name = entry.name;
  result.offer = entry.policy.offer;
  return result;
}

bool is_control(char c) noexcept {
  return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
}

bool is_same(const server_entry& x, const server_entry& y) {
  return x.state == y.state && x.options == y.options && x.policy == y.policy
         && caf::to_string(x.error) == caf::to_string(y.error);
}

/// Returns whether `y` is the same server under other rules of supervision.
bool differs_in_policy_alone(const server_entry& x, const server_entry& y) {
  return x.state == server_entry_state::usable && x.state == y.state
         && x.options == y.options && x.policy != y.policy;
}

bool is_one_of(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// The restarts of all servers count as those of a permanent one.
std::optional<restart_rules>
rules_of(const std::optional<restart_intensity>& intensity) {
  if (!intensity)
    return std::nullopt;
  supervision all;
  all.max_restarts = intensity->max_restarts;
  all.restart_period = intensity->restart_period;
  return restart_rules{all};
}

dependencies_state state_of_dependency(server_state state) noexcept {
  switch (state) {
    case server_state::ready:
      return dependencies_state::ready;
    case server_state::idle:
    case server_state::starting:
      return dependencies_state::awaited;
    case server_state::waiting:
      return dependencies_state::lost;
    default:
      return dependencies_state::down;
  }
}

/// Returns an error that names both places of a name that is given twice.
caf::error duplicate(const std::vector<server_entry>& servers,
                     std::string_view name) {
  std::string places;
  for (std::size_t i = 0; i < servers.size(); ++i)
    if (servers[i].name == name)
      places += (places.empty() ? "" : " and ") + std::to_string(i + 1);
  return config_error("servers", "\"" + std::string{name}
                                   + "\" is the name of the entries " + places
                                   + "; each server needs its own");
}

/// Returns an error if two entries have the same name.
caf::error check_names(const std::vector<server_entry>& servers) {
  std::set<std::string_view> names;
  for (const auto& entry : servers)
    if (!names.insert(entry.name).second)
      return duplicate(servers, entry.name);
  return {};
}

/// Keeps one entry of each name. One that is given twice is broken: nobody
/// knows which of the two is meant.
std::vector<server_entry> without_duplicates(std::vector<server_entry> all) {
  std::vector<server_entry> result;
  for (const auto& entry : all) {
    const auto has_name
      = [&entry](const server_entry& x) { return x.name == entry.name; };
    const auto known = std::find_if(result.begin(), result.end(), has_name);
    if (known == result.end()) {
      result.push_back(entry);
    } else {
      known->state = server_entry_state::broken;
      known->error = duplicate(all, entry.name);
    }
  }
  return result;
}

/// Collects the answers of many actors into one.
struct status_collector {
  caf::typed_response_promise<std::vector<server_status>> promise;
  std::vector<server_status> result;
  std::size_t missing = 0;

  void on_answer() {
    if (--missing == 0)
      promise.deliver(std::move(result));
  }
};

} // namespace

hub spawn_hub(runtime& host, std::vector<server_entry> servers,
              hub_options how) {
  return hub{hub_and_listener{
    spawn_pinned<hub_actor>(host.system(), host.next_loop(), host,
                            std::move(servers), std::move(how))}};
}

hub_actor::hub_actor(caf::actor_config& cfg, std::shared_ptr<io_loop> loop,
                     runtime& host, std::vector<server_entry> servers,
                     hub_options how, hub_surroundings around)
  : enduring_actor{cfg, std::move(loop)},
    host_{host},
    options_{std::move(how)},
    around_{std::move(around)},
    all_losses_{rules_of(options_.intensity)} {
  options_.parallel_starts = std::max<std::size_t>(options_.parallel_starts, 1);
  to_add_ = with_dependencies(without_duplicates(std::move(servers)));
}

hub_actor::behavior_type hub_actor::make_behavior() {
  caf_version::set_exit_handler(
    this, [this](const caf::actor_addr& source, const caf::error& reason) {
      on_actor_exit(source, reason);
    });
  caf_version::set_down_handler(
    this, [this](const caf::actor_addr& source, const caf::error& reason) {
      on_actor_down(source, reason);
    });
  for (auto& entry : std::exchange(to_add_, {}))
    add(std::move(entry));
  for (const auto& each : children_)
    start_soon(each);
  return {
    [this](const look_up& message) { return on_look_up(message); },
    [this](get_servers) { return on_get_servers(); },
    [this](get_catalogue) { return on_get_catalogue(); },
    [this](watch_servers) { return on_watch(); },
    [this](const put_server& message) { return on_put(message); },
    [this](const remove_server& message) { return on_remove(message); },
    [this](const restart_server& message) { return on_restart(message); },
    [this](const reload_servers& message) { return on_reload(message); },
    [this](watch_catalogue) { return on_watch_catalogue(); },
    [this](const server_changed& message) { on_changed(message); },
    [this](dependencies_wanted) { on_dependencies_wanted(); },
    [this](const subscription_accepted& message) {
      on_lists_unknown(message.id);
    },
    [this](const subscription_event& message) { on_list_event(message); },
    [this](const events_dropped& message) { on_lists_unknown(message.id); },
    [this](const subscription_resumed& message) {
      on_lists_unknown(message.id);
    },
    [this](const subscription_closed& message) {
      on_subscription_closed(message);
    },
  };
}

// -- what callers ask ---------------------------------------------------------

caf::result<mcp_server> hub_actor::on_look_up(const look_up& message) {
  auto found = usable(message.name);
  if (!found)
    return std::move(found.error());
  return mcp_server{(*found)->actor};
}

caf::result<std::vector<server_status>> hub_actor::on_get_servers() {
  auto all = std::make_shared<status_collector>();
  for (const auto& each : children_)
    all->result.push_back(each.status);
  all->missing = children_.size() + 1;
  all->promise = make_response_promise<std::vector<server_status>>();
  for (std::size_t i = 0; i < children_.size(); ++i) {
    if (!children_[i].actor) {
      all->on_answer();
      continue;
    }
    caf_version::ask(*this, children_[i].actor, caf::infinite, get_status{})
      .then(
        [all, i](server_status& status) {
          status.offer = std::move(all->result[i].offer);
          all->result[i] = std::move(status);
          all->on_answer();
        },
        [all](const caf::error&) { all->on_answer(); });
  }
  auto promise = all->promise;
  all->on_answer();
  return promise;
}

caf::result<void> hub_actor::on_watch() {
  const auto& watcher = current_sender();
  if (!watcher)
    return caf::unit;
  auto address = caf::actor_cast<caf::actor_addr>(watcher);
  if (std::find(watchers_.begin(), watchers_.end(), address)
      == watchers_.end()) {
    watch_watcher(watcher);
    watchers_.push_back(std::move(address));
  }
  for (const auto& each : children_)
    caf_version::tell(this, caf::actor_cast<hub_listener>(watcher),
                      server_changed{each.status});
  return caf::unit;
}

caf::result<void> hub_actor::on_put(const put_server& message) {
  if (message.name.empty())
    return config_error("name", "must not be empty");
  if (std::any_of(message.name.begin(), message.name.end(), is_control))
    return config_error("name", "must hold no control character");
  if (auto error = validate(message.options))
    return error;
  server_entry entry;
  entry.name = message.name;
  entry.options = message.options;
  entry.policy = message.policy;
  auto* found = find(message.name);
  std::vector<server_entry> all;
  for (const auto& each : children_)
    all.push_back(&each == found ? entry : each.entry);
  if (found == nullptr)
    all.push_back(entry);
  if (auto error = dependency_error(all, entry))
    return error;
  if (found != nullptr)
    replace(*found, std::move(entry), message.drain);
  else
    add(std::move(entry));
  start_soon(*find(message.name));
  return caf::unit;
}

caf::result<void> hub_actor::on_remove(const remove_server& message) {
  auto* found = find(message.name);
  if (found == nullptr)
    return unknown(message.name);
  for (const auto& each : children_)
    if (is_one_of(each.entry.policy.depends_on, message.name))
      return config_error("name", "\"" + message.name + "\" is a server that \""
                                    + each.entry.name + "\" depends on");
  auto promise = make_response_promise<void>();
  stop(*found, message.drain, [promise]() mutable { promise.deliver(); });
  std::erase_if(children_, [&message](const child& each) {
    return each.entry.name == message.name;
  });
  return promise;
}

caf::result<void> hub_actor::on_restart(const restart_server& message) {
  if (auto* given_up = find(message.name);
      given_up != nullptr && !given_up->actor) {
    given_up->losses = restart_rules{given_up->entry.policy};
    spawn(*given_up);
  }
  auto found = usable(message.name);
  if (!found)
    return std::move(found.error());
  auto promise = make_response_promise<void>();
  lose_lists(**found);
  unsubscribe(**found);
  caf_version::ask(*this, (*found)->actor, caf::infinite,
                   start_server{true, message.drain})
    .then([promise]() mutable { promise.deliver(); },
          [promise](caf::error& error) mutable {
            promise.deliver(std::move(error));
          });
  return promise;
}

caf::result<reload_report> hub_actor::on_reload(const reload_servers& message) {
  if (auto error = check_names(message.servers))
    return error;
  for (const auto& entry : message.servers)
    if (auto error = dependency_error(message.servers, entry))
      return error;
  reload_report report;
  std::set<std::string_view> names;
  for (const auto& entry : message.servers)
    names.insert(entry.name);
  for (auto& each : children_) {
    if (names.contains(each.entry.name))
      continue;
    report.removed.push_back(each.entry.name);
    stop(each, message.drain, [] { /* nobody waits */ });
  }
  std::erase_if(children_, [&names](const child& each) {
    return !names.contains(each.entry.name);
  });
  for (const auto& entry : message.servers) {
    auto* known = find(entry.name);
    if (known == nullptr) {
      report.added.push_back(entry.name);
      add(entry);
    } else if (!is_same(known->entry, entry)) {
      report.replaced.push_back(entry.name);
      replace(*known, entry, message.drain);
    }
  }
  put_in_order_of(message.servers);
  for (const auto& names_of : {report.added, report.replaced})
    for (const auto& name : names_of)
      start_soon(*find(name));
  return report;
}

void hub_actor::put_in_order_of(const std::vector<server_entry>& entries) {
  auto place_of = [&entries](const child& which) {
    return std::find_if(
      entries.begin(), entries.end(),
      [&which](const server_entry& x) { return x.name == which.entry.name; });
  };
  std::stable_sort(children_.begin(), children_.end(),
                   [&place_of](const child& x, const child& y) {
                     return place_of(x) < place_of(y);
                   });
}

// -- what supervisors tell ----------------------------------------------------

void hub_actor::on_changed(const server_changed& message) {
  auto* found = find(message.status.name);
  if (found == nullptr || !found->actor || current_sender() != found->actor)
    return; // of one that was removed
  const auto was_ready = found->status.state == server_state::ready;
  found->status = message.status;
  found->status.offer = found->entry.policy.offer;
  if (was_ready)
    lose_lists(*found);
  tell_watchers(found->status);
  if (message.status.state == server_state::waiting
      && has_restarted_too_often(message.status.last_error))
    return;
  follow(*found);
  tell_dependents(message.status.name);
  start_next();
}

/// Of a supervisor whose server is to run.
void hub_actor::on_dependencies_wanted() {
  const auto sender = caf::actor_cast<caf::actor_addr>(current_sender());
  for (auto& each : children_)
    if (each.actor && sender == each.actor.address()) {
      for (const auto& name : each.entry.policy.depends_on)
        if (const auto* other = find(name);
            other != nullptr && other->status.state == server_state::idle)
          want(*other);
      caf_version::tell(this, each.actor, dependencies_of(each));
      start_next();
      return;
    }
}

void hub_actor::on_actor_exit(const caf::actor_addr& source,
                              const caf::error& reason) {
  if (is_own_exit(source))
    quit(reason);
}

void hub_actor::on_actor_down(const caf::actor_addr& source,
                              const caf::error& reason) {
  std::erase(watchers_, source);
  const auto is_source
    = [&source](const watcher& x) { return x.address == source; };
  if (std::erase_if(catalogue_watchers_, is_source) > 0
      && catalogue_watchers_.empty())
    unfollow_all();
  auto found = std::find_if(
    children_.begin(), children_.end(), [&source](const child& each) {
      return each.actor && source == each.actor.address();
    });
  if (found != children_.end())
    on_supervisor_down(*found, reason);
}

/// The rules of the server hold for its actor as well.
void hub_actor::on_supervisor_down(child& which, const caf::error& reason) {
  which.actor = nullptr;
  if (which.loop->is_ending())
    return; // so does this actor
  lose_lists(which);
  unsubscribe(which);
  const close_reason lost{
    close_cause::internal_error, 0,
    "the actor of the server has ended: " + caf::to_string(reason), ""};
  const auto decision = which.losses.on_lost(lost, restart_rules::clock::now());
  if (decision == restart_decision::restart) {
    if (!has_restarted_too_often(to_error(lost))) {
      spawn(which);
      start_soon(which);
    }
    return;
  }
  which.status = blank_status(which.entry);
  which.status.state = decision == restart_decision::stop
                         ? server_state::stopped
                         : server_state::failed;
  which.status.last_error = to_error(lost);
  tell_watchers(which.status);
  tell_dependents(which.entry.name);
}

bool hub_actor::has_restarted_too_often(const caf::error& lost) {
  const auto why = describe(lost);
  if (!all_losses_ || why.name == "spawn_failed"
      || why.data.string_member("reason") == "dependency_lost")
    return false;
  if (all_losses_->on_lost({}, restart_rules::clock::now())
      == restart_decision::restart)
    return false;
  quit(local_error(
    errc::connection_closed,
    "the servers of the hub were restarted more than "
      + std::to_string(options_.intensity->max_restarts) + " times within "
      + std::to_string(options_.intensity->restart_period.count()) + " ms"));
  return true;
}

void hub_actor::watch_watcher(const caf::strong_actor_ptr& whom) {
  const auto address = caf::actor_cast<caf::actor_addr>(whom);
  if (std::find(watchers_.begin(), watchers_.end(), address) == watchers_.end()
      && std::find_if(
           catalogue_watchers_.begin(), catalogue_watchers_.end(),
           [&address](const watcher& x) { return x.address == address; })
           == catalogue_watchers_.end())
    watch_actor(whom);
}

void hub_actor::watch_actor(const caf::strong_actor_ptr& whom) {
  caf_version::watch(
    this, whom,
    [this](const caf::actor_addr& source, const caf::error& reason) {
      on_actor_down(source, reason);
    });
}

void hub_actor::tell_watchers(const server_status& status) {
  is_catalogue_new_ = true;
  for (const auto& watcher : watchers_)
    if (auto strong = caf::actor_cast<caf::strong_actor_ptr>(watcher))
      caf_version::tell(this, caf::actor_cast<hub_listener>(strong),
                        server_changed{status});
}

// -- children -----------------------------------------------------------------

hub_actor::child* hub_actor::find(std::string_view name) {
  auto found
    = std::find_if(children_.begin(), children_.end(),
                   [name](const child& x) { return x.entry.name == name; });
  return found != children_.end() ? &*found : nullptr;
}

caf::error hub_actor::unknown(std::string_view name) const {
  server_config known;
  for (const auto& each : children_)
    known.servers.push_back(each.entry);
  return find_server(known, name).error();
}

caf::expected<hub_actor::child*> hub_actor::usable(std::string_view name) {
  auto* found = find(name);
  if (found == nullptr)
    return unknown(name);
  if (!found->actor)
    return found->status.last_error;
  return found;
}

void hub_actor::add(server_entry entry) {
  const restart_rules losses{entry.policy};
  spawn(children_.emplace_back(
    child{std::move(entry), {}, {}, losses, {}, {}, 0, false, 0}));
}

void hub_actor::replace(child& which, server_entry entry, caf::timespan drain) {
  if (!differs_in_policy_alone(which.entry, entry))
    forget_lists(which);
  const auto stays = which.actor && entry.state == server_entry_state::usable;
  if (which.actor && !stays)
    stop(which, drain, [] { /* nobody waits */ });
  which.entry = std::move(entry);
  which.losses = restart_rules{which.entry.policy};
  if (!stays) {
    which.actor = nullptr;
    spawn(which);
    return;
  }
  which.status.offer = which.entry.policy.offer;
  tell_watchers(which.status);
  caf_version::tell(this, which.actor, dependencies_of(which));
  caf_version::tell(
    this, which.actor,
    replace_server{which.entry.options, which.entry.policy, drain});
}

void hub_actor::spawn(child& which) {
  which.status = blank_status(which.entry);
  which.status.state = initial_state(which.entry);
  which.status.last_error = which.entry.error;
  tell_watchers(which.status);
  if (which.status.state != server_state::idle)
    return;
  supervisor_config config{
    which.entry.name, which.entry.options, which.entry.policy,
    options_.logs,    options_.answers,    address(),
    around_,
  };
  which.loop = host_.next_loop();
  which.actor = supervisor{supervisor_and_listener{
    spawn_pinned<supervisor_actor>(system(), which.loop, std::move(config))}};
  watch_actor(caf::actor_cast<caf::strong_actor_ptr>(which.actor));
}

void hub_actor::forget_lists(child& which) {
  unsubscribe(which);
  catalogue_.forget(which.entry.name);
  which.lists = {};
}

void hub_actor::lose_lists(child& which) {
  catalogue_.lose(which.entry.name);
  which.lists = {};
}

template <class Done>
void hub_actor::stop(child& which, caf::timespan drain, Done done) {
  forget_lists(which);
  which.status = blank_status(which.entry);
  which.status.state = server_state::stopped;
  tell_watchers(which.status);
  if (!which.actor) {
    done();
    return;
  }
  caf_version::ask(*this, which.actor, caf::infinite, stop_server{drain})
    .then([done]() mutable { done(); },
          [done](const caf::error&) mutable { done(); });
}

void hub_actor::start_soon(const child& which) {
  if (!which.actor || which.entry.policy.start != start_policy::eager)
    return;
  want(which);
  start_next();
}

/// Puts a server behind those that it depends on.
void hub_actor::want(const child& which) {
  for (const auto& name : which.entry.policy.depends_on)
    if (const auto* other = find(name);
        other != nullptr && other->status.state == server_state::idle)
      want(*other);
  to_start_.push_back(which.entry.name);
}

void hub_actor::start_next() {
  const auto can_start = [this](const std::string& name) {
    auto* which = find(name);
    return which == nullptr || !which->actor
           || dependencies_of(*which).state != dependencies_state::awaited;
  };
  while (starting_ < options_.parallel_starts) {
    const auto next
      = std::find_if(to_start_.begin(), to_start_.end(), can_start);
    if (next == to_start_.end())
      return;
    auto* which = find(*next);
    to_start_.erase(next);
    if (which == nullptr || !which->actor)
      continue;
    ++starting_;
    auto is_up_or_not = [this] {
      --starting_;
      start_next();
    };
    caf_version::ask(*this, which->actor, caf::infinite, start_server{})
      .then(is_up_or_not,
            [is_up_or_not](const caf::error&) { is_up_or_not(); });
  }
}

// -- servers that depend on others --------------------------------------------

dependencies_changed hub_actor::dependencies_of(const child& which) {
  dependencies_changed result;
  for (const auto& name : which.entry.policy.depends_on) {
    const auto* other = find(name);
    const auto state = other != nullptr
                         ? state_of_dependency(other->status.state)
                         : dependencies_state::down;
    if (state > result.state)
      result = {state, name};
  }
  return result;
}

void hub_actor::tell_dependents(const std::string& server) {
  for (const auto& each : children_)
    if (each.actor && is_one_of(each.entry.policy.depends_on, server))
      caf_version::tell(this, each.actor, dependencies_of(each));
}

} // namespace caf_mcp
