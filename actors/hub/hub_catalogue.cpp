#include "caf_mcp/actors/hub/hub_actor.hpp"
#include "caf_mcp/messages/error_info.hpp"

#include <caf/actor_cast.hpp>

#include <algorithm>
#include <utility>

namespace caf_mcp {

namespace {

/// The lists that an event says have changed.
std::vector<list_kind> lists_of(event_kind kind) {
  switch (kind) {
    case event_kind::tools_changed:
      return {list_kind::tools};
    case event_kind::prompts_changed:
      return {list_kind::prompts};
    case event_kind::resources_changed:
      return {list_kind::resources, list_kind::resource_templates};
    default:
      return {};
  }
}

} // namespace

caf::result<payload> hub_actor::on_get_catalogue() {
  auto promise = make_response_promise<payload>();
  auto missing = std::make_shared<std::size_t>(1);
  auto on_answer = [this, promise, missing](const catalogue::ticket&) mutable {
    if (--*missing > 0)
      return;
    std::vector<server_status> servers;
    for (const auto& each : children_)
      servers.push_back(each.status);
    promise.deliver(catalogue_.render(servers));
  };
  for (const auto& each : children_)
    if (each.status.state == server_state::ready)
      for (auto kind : catalogue_kinds) {
        ++*missing;
        ask_for_list(each, kind, on_answer);
      }
  on_answer({});
  return promise;
}

caf::result<void> hub_actor::on_watch_catalogue() {
  const auto whom = current_sender();
  if (!whom)
    return caf::unit;
  auto address = caf::actor_cast<caf::actor_addr>(whom);
  for (const auto& each : catalogue_watchers_)
    if (each.address == address)
      return caf::unit;
  watch_watcher(whom);
  catalogue_watchers_.push_back({std::move(address), {}});
  is_catalogue_new_ = true;
  if (catalogue_watchers_.size() == 1)
    for (auto& each : children_) {
      catalogue_.doubt(each.entry.name); // nobody has listened to it
      follow(each);
    }
  return caf::unit;
}

// -- what servers list --------------------------------------------------------

void hub_actor::ask_for_list(
  const child& which, list_kind kind,
  std::function<void(const catalogue::ticket&)> done) {
  list_all message;
  message.kind = kind;
  message.options.timeout = options_.listing_timeout; // of each page
  message.options.max_total_timeout = options_.listing_timeout;
  auto begun = catalogue_.begin(which.entry.name, kind);
  caf_version::ask(*this, which.actor, caf::infinite, message)
    .then(
      [this, begun, done](const payload& items) {
        catalogue_.put(begun, items);
        is_catalogue_new_ = true;
        done(begun);
      },
      [this, begun, done](const caf::error& error) {
        catalogue_.fail(begun, error);
        is_catalogue_new_ = true;
        done(begun);
      });
}

void hub_actor::follow(child& which) {
  if (catalogue_watchers_.empty() || !which.actor
      || which.status.state != server_state::ready)
    return;
  if (!which.is_subscribing)
    subscribe(which);
  for (auto kind : catalogue_kinds)
    refresh(which, kind);
}

void hub_actor::subscribe(child& which) {
  listen message;
  message.filter.tools = true;
  message.filter.prompts = true;
  message.filter.resources = true;
  which.is_subscribing = true;
  caf_version::ask(*this, which.actor, caf::infinite, message)
    .then([this, name = which.entry.name](
            std::uint64_t id) { on_subscribed(name, id); },
          [this, name = which.entry.name](const caf::error&) {
            if (auto* known = find(name))
              known->is_subscribing
                = false; // asked again when it is ready again
          });
}

void hub_actor::on_subscribed(const std::string& name, std::uint64_t id) {
  auto* which = find(name);
  if (which == nullptr || !which->actor)
    return;
  if (catalogue_watchers_.empty())
    caf_version::tell(this, which->actor, cancel_subscription{id});
  else
    which->subscription = id;
}

void hub_actor::refresh(child& which, list_kind kind) {
  if (which.status.state == server_state::ready && which.lists.on_changed(kind))
    ask_to_refresh(which, kind);
}

void hub_actor::ask_to_refresh(const child& which, list_kind kind) {
  ask_for_list(which, kind,
               [this](const catalogue::ticket& begun) { on_refreshed(begun); });
}

void hub_actor::on_refreshed(const catalogue::ticket& begun) {
  auto* which = find(begun.server);
  if (which == nullptr || !which->actor || !catalogue_.is_current(begun))
    return;
  if (which->owed_credit > 0)
    caf_version::tell(
      this, which->actor,
      grant_events{which->subscription, std::exchange(which->owed_credit, 0)});
  if (which->lists.on_answer(begun.kind))
    ask_to_refresh(*which, begun.kind);
}

void hub_actor::unfollow_all() {
  for (auto& each : children_) {
    if (each.actor && each.subscription != 0)
      caf_version::tell(this, each.actor,
                        cancel_subscription{each.subscription});
    unsubscribe(each);
  }
}

// -- what servers tell --------------------------------------------------------

void hub_actor::on_list_event(const subscription_event& message) {
  auto* which = find_by_subscription(message.id);
  if (which == nullptr)
    return;
  ++which->owed_credit;
  for (auto kind : lists_of(message.event.kind))
    refresh(*which, kind);
}

void hub_actor::on_lists_unknown(std::uint64_t subscription) {
  if (auto* which = find_by_subscription(subscription))
    for (auto kind : catalogue_kinds)
      refresh(*which, kind);
}

void hub_actor::on_subscription_closed(const subscription_closed& message) {
  auto* which = find_by_subscription(message.id);
  if (which == nullptr)
    return;
  unsubscribe(*which);
  // The next connection may be ready before the end of this one is told.
  if (message.how == subscription_end::failed
      && describe(message.error).name == "connection_closed")
    follow(*which);
}

void hub_actor::unsubscribe(child& which) {
  which.subscription = 0;
  which.owed_credit = 0;
  which.is_subscribing = false;
}

hub_actor::child* hub_actor::find_by_subscription(std::uint64_t id) {
  const auto found
    = std::find_if(children_.begin(), children_.end(),
                   [id](const child& x) { return x.subscription == id; });
  return found != children_.end() ? &*found : nullptr;
}

// -- what watchers are told ---------------------------------------------------

bool hub_actor::has_whole_catalogue() const {
  return std::all_of(children_.begin(), children_.end(),
                     [this](const child& each) {
                       return each.status.state != server_state::ready
                              || catalogue_.was_listed(each.entry.name);
                     });
}

catalogue_offers hub_actor::offers() const {
  catalogue_offers result;
  for (const auto& each : children_)
    result.emplace_back(each.entry.name, catalogue_.offer_of(each.status));
  return result;
}

void hub_actor::after_messages() {
  if (std::exchange(is_catalogue_new_, false) && !catalogue_watchers_.empty()) {
    const auto now = offers();
    for (auto& each : catalogue_watchers_)
      if (each.told.has_begun() || has_whole_catalogue())
        tell_catalogue_watcher(each, now);
  }
  enduring_actor::after_messages();
}

void hub_actor::tell_catalogue_watcher(watcher& whom,
                                       const catalogue_offers& now) {
  const auto strong = caf::actor_cast<caf::strong_actor_ptr>(whom.address);
  if (!strong)
    return;
  auto changed = whom.told.next(now);
  if (!changed)
    return;
  auto on_taken = [this, address = whom.address] {
    for (auto& each : catalogue_watchers_)
      if (each.address == address)
        each.told.on_taken();
    is_catalogue_new_ = true;
  };
  caf_version::ask(*this, caf::actor_cast<catalogue_listener>(strong),
                   caf::infinite, std::move(*changed))
    .then(on_taken, [on_taken](const caf::error&) { on_taken(); });
}

} // namespace caf_mcp
