// Subscriptions to a server of another node: this side owns them there, and
// passes on what it hears.
#include "caf_mcp/actors/connection/connection_actor.hpp"
#include "caf_mcp/actors/nodes/remote_server_actor.hpp"
#include "caf_mcp/messages/error_info.hpp"

#include <caf/actor_cast.hpp>

#include <algorithm>
#include <utility>

namespace caf_mcp {

caf::result<std::uint64_t> remote_server_actor::on_listen(listen message) {
  // To the node, this actor is the owner.
  auto owner = std::exchange(message.owner, nullptr);
  if (!owner)
    owner = current_sender();
  if (!owner)
    return config_error("owner", "must be set, for the sender is no actor");
  pending_call added;
  added.message = std::move(message);
  return accept<std::uint64_t>(std::move(added), owner);
}

caf::result<void> remote_server_actor::on_grant(const grant_events& message) {
  if (auto found = subscriptions_.find(message.id);
      found != subscriptions_.end())
    tell_server(found->second.link,
                grant_events{found->second.id, message.count});
  return caf::unit;
}

caf::result<void> remote_server_actor::on_cancel_subscription(
  const cancel_subscription& message) {
  auto found = subscriptions_.extract(message.id);
  if (!found)
    return caf::unit;
  tell_server(found.mapped().link, cancel_subscription{found.mapped().id});
  tell_owner(found.mapped(),
             subscription_closed{message.id, subscription_end::cancelled, {}});
  return caf::unit;
}

void remote_server_actor::subscribe(std::uint64_t tag,
                                    const pending_call& asked,
                                    std::uint64_t remote_id) {
  subscriptions_.emplace(tag, remote_subscription{asked.link,
                                                  server_of(asked.link)->node(),
                                                  remote_id, asked.caller});
}

template <class Report>
void remote_server_actor::relay(Report report) {
  auto found = find_subscription(report.id);
  if (found == subscriptions_.end())
    return; // it has ended here
  report.id = found->first;
  tell_owner(found->second, std::move(report));
}

template void remote_server_actor::relay(subscription_accepted);
template void remote_server_actor::relay(subscription_event);
template void remote_server_actor::relay(events_dropped);
template void remote_server_actor::relay(subscription_resumed);

void remote_server_actor::on_subscription_closed(subscription_closed& report) {
  auto found = find_subscription(report.id);
  if (found == subscriptions_.end())
    return; // it has ended here
  report.id = found->first;
  const auto ended = found->second;
  subscriptions_.erase(found);
  tell_owner(ended, std::move(report));
}

/// Ids are those of the sender's process, so that its node tells them apart.
remote_server_actor::subscription_map::iterator
remote_server_actor::find_subscription(std::uint64_t remote_id) {
  const auto& sender = current_sender();
  return std::find_if(subscriptions_.begin(), subscriptions_.end(),
                      [&sender, remote_id](const auto& each) {
                        return sender && each.second.id == remote_id
                               && each.second.node == sender->node();
                      });
}

template <class Message>
void remote_server_actor::tell_owner(const remote_subscription& of,
                                     Message message) {
  if (auto owner = caf::actor_cast<caf::strong_actor_ptr>(of.owner))
    caf_version::tell(this, caf::actor_cast<subscription_listener>(owner),
                      std::move(message));
}

void remote_server_actor::end_subscriptions_of(std::size_t link,
                                               const caf::error& error) {
  for (auto next = subscriptions_.begin(); next != subscriptions_.end();) {
    const auto current = next++;
    if (current->second.link != link)
      continue;
    tell_server(link, cancel_subscription{current->second.id});
    tell_owner(
      current->second,
      subscription_closed{current->first, subscription_end::failed, error});
    subscriptions_.erase(current);
  }
}

void remote_server_actor::forget_subscriptions_of(
  const caf::actor_addr& owner) {
  std::erase_if(subscriptions_, [this, &owner](const auto& each) {
    if (each.second.owner != owner)
      return false;
    tell_server(each.second.link, cancel_subscription{each.second.id});
    return true;
  });
}

} // namespace caf_mcp
