#include "caf_mcp/actors/connection/subscriptions/subscriptions.hpp"

#include "caf_mcp/actors/connection/subscriptions/listen_filters.hpp"
#include "caf_mcp/messages/error_info.hpp"
#include "caf_mcp/messages/wire/envelope_scan.hpp"

#include <boost/json/value.hpp>

#include <algorithm>
#include <atomic>

namespace caf_mcp {

namespace {

caf::error nothing_supported() {
  return local_error(errc::capability_missing,
                     "listen: the server declares no capability to report any "
                     "of what was asked for");
}

caf::error overflow_error(std::size_t waiting) {
  return local_error(errc::subscription_overflow,
                     "listen: more than " + std::to_string(waiting)
                       + " events wait for credit");
}

/// Returns the id of a new subscription. No two of this process are the same: a
/// supervisor puts one connection in place of another, and what was meant for a
/// subscription of the former must not reach one of the latter.
std::uint64_t next_subscription_id() noexcept {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

payload object_with(std::string_view key, std::string_view value) {
  return payload{boost::json::value{{key, value}}};
}

void tell(const subscription& of, subscriptions::news message,
          subscriptions::actions& to_do) {
  to_do.emplace_back(subscriptions::tell_owner{of.owner, std::move(message)});
}

void tell_dropped(const subscription& of, std::uint64_t count,
                  subscriptions::actions& to_do) {
  if (count > 0)
    tell(of, events_dropped{of.id, count}, to_do);
}

/// Tells the owner what it has credit for.
void deliver(subscription& which, subscriptions::actions& to_do) {
  while (auto next = which.events.next()) {
    tell_dropped(which, next->dropped, to_do);
    tell(which, subscription_event{which.id, std::move(next->event)}, to_do);
  }
}

} // namespace

// -- what callers say ---------------------------------------------------------

caf::error subscriptions::check(const listen& message) {
  const auto& uris = message.filter.uris;
  if (is_empty(message.filter))
    return config_error("filter", "asks for nothing; set at least one member");
  if (std::find(uris.begin(), uris.end(), "") != uris.end())
    return config_error("filter.uris", "\"\" is not allowed; must be a URI");
  if (message.options.max_buffer == 0)
    return config_error("options.max_buffer", "0 is not allowed; at least 1");
  return {};
}

std::pair<std::uint64_t, subscriptions::actions>
subscriptions::add(caf::actor_addr owner, const listen_filter& filter,
                   const listen_options& options) {
  const auto id = next_subscription_id();
  const auto& added
    = subscriptions_
        .emplace(
          id,
          subscription{
            id, std::move(owner), options, filter, {}, event_buffer{options}})
        .first->second;
  actions to_do;
  hold(added, to_do);
  return {id, std::move(to_do)};
}

subscriptions::actions subscriptions::grant(std::uint64_t id,
                                            std::uint64_t count) {
  actions to_do;
  if (auto* which = find(id)) {
    which->events.grant(count);
    deliver(*which, to_do);
  }
  return to_do;
}

subscriptions::actions subscriptions::cancel(std::uint64_t id) {
  actions to_do;
  close(id, subscription_end::cancelled, {}, to_do);
  return to_do;
}

subscriptions::actions
subscriptions::cancel_all_of(const caf::actor_addr& owner) {
  actions to_do;
  for (auto next = subscriptions_.begin(); next != subscriptions_.end();) {
    const auto& which = (next++)->second; // which may be closed now
    if (which.owner == owner)
      close(which.id, subscription_end::cancelled, {}, to_do);
  }
  return to_do;
}

// -- what the server is asked -------------------------------------------------

void subscriptions::hold(const subscription& which, actions& to_do) {
  to_do.emplace_back(hold_listen{which.id, !which.was_accepted});
}

void subscriptions::attach(std::uint64_t id, std::int64_t request) {
  if (auto* which = find(id))
    which->request = request;
}

subscriptions::actions subscriptions::on_turn(std::uint64_t id) {
  actions to_do;
  auto* which = find(id);
  if (which == nullptr || !server_)
    return to_do;
  auto wanted = supported_part(which->filter, server_->capabilities);
  if (is_empty(wanted)) {
    close(id, subscription_end::failed, nothing_supported(), to_do);
    return to_do;
  }
  refresh_log_level(to_do);
  if (is_modern() && wants_changes(which->filter)) {
    written_.emplace(which->request, id);
    to_do.emplace_back(
      write_listen{which->request, listen_params(which->filter)});
    return to_do;
  }
  to_do.emplace_back(drop_listen{release_request(*which)});
  if (is_modern())
    accept(*which, std::move(wanted), to_do);
  else
    subscribe_uris(*which, wanted, to_do);
  return to_do;
}

/// MCP 2025-11-25, Resources, Subscriptions: a request for each URI. Lists need
/// none: their notifications come anyway.
void subscriptions::subscribe_uris(subscription& which,
                                   const listen_filter& wanted,
                                   actions& to_do) {
  which.accepted = wanted;
  which.accepted.uris.clear();
  for (const auto& uri : wanted.uris) {
    switch (uris_.add(uri, which.id)) {
      case uri_refs::standing::confirmed:
        which.accepted.uris.push_back(uri);
        break;
      case uri_refs::standing::unknown:
        uris_.asked(uri, ++last_number_);
        to_do.emplace_back(send_own_request{last_number_, "resources/subscribe",
                                            object_with("uri", uri)});
        [[fallthrough]];
      case uri_refs::standing::asked:
        which.unanswered_uris.insert(uri);
        break;
    }
  }
  accept_if_answered(which, to_do);
}

void subscriptions::accept_if_answered(subscription& which, actions& to_do) {
  if (!which.unanswered_uris.empty())
    return;
  if (is_empty(which.accepted))
    close(which.id, subscription_end::failed, which.refusal, to_do);
  else
    accept(which, std::move(which.accepted), to_do);
}

void subscriptions::accept(subscription& which, listen_filter granted,
                           actions& to_do) {
  which.accepted = std::move(granted);
  which.is_open = true;
  if (std::exchange(which.was_accepted, true))
    tell(which, subscription_resumed{which.id, which.accepted}, to_do);
  else
    tell(which, subscription_accepted{which.id, which.accepted}, to_do);
}

/// The level that most is heard of wins; each listener gets what it asked for.
void subscriptions::refresh_log_level(actions& to_do) {
  if (!server_)
    return;
  std::optional<log_level> wanted;
  if (supported_part({.log = log_level::debug}, server_->capabilities).log)
    for (const auto& [_, each] : subscriptions_)
      if (each.filter.log)
        wanted = std::min(wanted.value_or(*each.filter.log), *each.filter.log);
  if (std::exchange(asked_log_level_, wanted) == wanted)
    return;
  if (is_modern())
    to_do.emplace_back(use_log_level{wanted});
  else if (wanted)
    to_do.emplace_back(send_own_request{
      0, "logging/setLevel", object_with("level", to_string(*wanted))});
}

// -- what becomes of requests -------------------------------------------------

/// MCP 2026-07-28, Subscriptions: the response is the graceful end.
subscriptions::actions subscriptions::on_listen_result(std::uint64_t id) {
  actions to_do;
  auto* which = find(id);
  if (which == nullptr)
    return to_do;
  release_request(*which);
  if (which->is_open)
    close(id, subscription_end::finished, {}, to_do);
  else
    close(id, subscription_end::failed,
          local_error(errc::invalid_response,
                      "subscriptions/listen: ended before it was acknowledged"),
          to_do);
  return to_do;
}

subscriptions::actions
subscriptions::on_listen_failure(std::uint64_t id, const caf::error& error) {
  actions to_do;
  if (auto* which = find(id))
    release_request(*which);
  close(id, subscription_end::failed, error, to_do);
  return to_do;
}

subscriptions::actions subscriptions::on_uri_answer(std::uint64_t number,
                                                    const std::string& uri,
                                                    const caf::error& error) {
  actions to_do;
  const auto listeners
    = error ? uris_.refuse(uri, number) : uris_.confirm(uri, number);
  for (auto id : listeners) {
    auto& which = subscriptions_.at(id);
    if (which.unanswered_uris.erase(uri) == 0)
      continue;
    if (error)
      which.refusal = error;
    else
      which.accepted.uris.push_back(uri);
    accept_if_answered(which, to_do);
  }
  return to_do;
}

// -- what the server does -----------------------------------------------------

subscriptions::actions subscriptions::on_ready(era spoken,
                                               payload capabilities) {
  actions to_do;
  server_ = server{spoken, std::move(capabilities)};
  refresh_log_level(to_do);
  return to_do;
}

subscriptions::actions subscriptions::on_event(server_event event) {
  actions to_do;
  if (is_modern() && event.kind != event_kind::log_message) {
    auto* which = find_by_request(
      event.params.member("_meta").member(subscription_id_key));
    if (which != nullptr && which->is_open
        && wants_kind(which->accepted, event))
      push(*which, std::move(event), to_do);
    return to_do;
  }
  for (auto next = subscriptions_.begin(); next != subscriptions_.end();) {
    auto& which = (next++)->second; // which may be closed now
    if (which.is_open && wants_event(which.accepted, event))
      push(which, event, to_do);
  }
  return to_do;
}

subscriptions::actions subscriptions::on_notification(std::string_view method,
                                                      const payload& params) {
  actions to_do;
  if (!is_modern())
    return to_do;
  if (method == "notifications/subscriptions/acknowledged") {
    auto* which
      = find_by_request(params.member("_meta").member(subscription_id_key));
    if (which != nullptr && !which->is_open)
      acknowledge(*which, params, to_do);
  } else if (method == "notifications/cancelled") {
    if (auto* which = find_by_request(params.member("requestId"))) {
      to_do.emplace_back(drop_listen{release_request(*which)});
      close(which->id, subscription_end::withdrawn, {}, to_do);
    }
  }
  return to_do;
}

/// A listen that is open has no deadline.
void subscriptions::acknowledge(subscription& which, const payload& params,
                                actions& to_do) {
  to_do.emplace_back(lift_deadline{which.request});
  auto granted = acknowledged_part(which.filter, params);
  granted.log = supported_part(which.filter, server_->capabilities).log;
  accept(which, std::move(granted), to_do);
}

void subscriptions::push(subscription& which, server_event event,
                         actions& to_do) {
  if (which.events.push(std::move(event)))
    deliver(which, to_do);
  else
    close(which.id, subscription_end::failed,
          overflow_error(which.events.waiting()), to_do);
}

// -- ends ---------------------------------------------------------------------

subscriptions::actions subscriptions::on_lost(const caf::error& error) {
  actions to_do;
  server_.reset();
  uris_.clear();
  written_.clear();
  asked_log_level_.reset();
  for (auto next = subscriptions_.begin(); next != subscriptions_.end();) {
    auto& which = (next++)->second; // which may be closed now
    which.is_open = false;
    which.unanswered_uris.clear();
    if (auto request = release_request(which))
      to_do.emplace_back(drop_listen{request});
    if (which.options.on_reconnect == reconnect_choice::end)
      close(which.id, subscription_end::failed, error, to_do);
    else
      hold(which, to_do);
  }
  return to_do;
}

subscriptions::actions subscriptions::on_end(const caf::error& error) {
  actions to_do;
  uris_.clear();
  written_.clear();
  for (auto& [id, which] : std::exchange(subscriptions_, {})) {
    if (which.request != 0)
      to_do.emplace_back(drop_listen{which.request});
    tell_dropped(which, which.events.drop_all(), to_do);
    tell(which, subscription_closed{id, subscription_end::failed, error},
         to_do);
  }
  return to_do;
}

/// Tells the owner, and the server if it does not know.
void subscriptions::close(std::uint64_t id, subscription_end how,
                          const caf::error& error, actions& to_do) {
  auto found = subscriptions_.extract(id);
  if (found.empty())
    return;
  auto& which = found.mapped();
  tell_dropped(which, which.events.drop_all(), to_do);
  tell(which, subscription_closed{id, how, error}, to_do);
  if (auto request = release_request(which))
    to_do.emplace_back(cancel_listen{request});
  const auto unwanted = uris_.remove(id);
  if (server_)
    for (const auto& uri : unwanted)
      to_do.emplace_back(
        send_own_request{0, "resources/unsubscribe", object_with("uri", uri)});
  refresh_log_level(to_do);
}

// -- look-ups -----------------------------------------------------------------

subscription* subscriptions::find(std::uint64_t id) {
  auto found = subscriptions_.find(id);
  return found == subscriptions_.end() ? nullptr : &found->second;
}

subscription* subscriptions::find_by_request(const payload& value) {
  const auto& id = value.value();
  const auto request = id.is_int64() ? std::optional{id.get_int64()}
                                     : read_own_id(value.to_json());
  auto found = request ? written_.find(*request) : written_.end();
  return found == written_.end() ? nullptr : find(found->second);
}

/// Returns the request of a subscription, which has none from now on; 0 if it
/// has none.
std::int64_t subscriptions::release_request(subscription& which) {
  written_.erase(which.request);
  return std::exchange(which.request, 0);
}

} // namespace caf_mcp
