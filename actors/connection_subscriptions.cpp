// Subscriptions: what a server reports unasked, and who hears of it.
#include "caf_mcp/actors/connection_actor.hpp"
#include "caf_mcp/actors/state/listen_filters.hpp"
#include "caf_mcp/messages/error_info.hpp"
#include "caf_mcp/messages/wire/envelope_scan.hpp"

#include <boost/json/serialize.hpp>
#include <caf/actor_cast.hpp>

#include <algorithm>
#include <atomic>
#include <utility>

namespace caf_mcp {

namespace {

constexpr std::string_view subscription_id_key
  = "io.modelcontextprotocol/subscriptionId";

constexpr std::string_view log_level_key = "io.modelcontextprotocol/logLevel";

/// Says what is wrong with a `listen`, if anything is.
caf::error check(const listen& message, const caf::strong_actor_ptr& owner) {
  const auto& uris = message.filter.uris;
  if (is_empty(message.filter))
    return config_error("filter", "asks for nothing; set at least one member");
  if (std::find(uris.begin(), uris.end(), "") != uris.end())
    return config_error("filter.uris", "\"\" is not allowed; must be a URI");
  if (message.options.max_buffer == 0)
    return config_error("options.max_buffer", "0 is not allowed; at least 1");
  if (!owner)
    return config_error("owner", "must be set, for the sender is no actor");
  return {};
}

caf::error nothing_supported() {
  return local_error(errc::capability_missing,
                     "listen: the server declares no capability to report any "
                     "of what was asked for");
}

/// Returns the id of a new subscription. No two of this process are the same: a
/// supervisor puts one connection in place of another, and what was meant for a
/// subscription of the former must not reach one of the latter.
std::uint64_t next_subscription_id() noexcept {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

/// Returns `meta` with this log level in it (MCP 2026-07-28, Basic, `_meta`).
payload with_log_level(const payload& meta, std::optional<log_level> level) {
  boost::json::object result;
  if (const auto* members = meta.if_object())
    result = *members;
  if (level)
    result.insert_or_assign(log_level_key, to_string(*level));
  else
    result.erase(log_level_key);
  return payload{boost::json::value(std::move(result))};
}

} // namespace

template <class Message>
void connection_actor::tell_owner(const subscription& of, Message message) {
  if (auto owner = caf::actor_cast<caf::strong_actor_ptr>(of.owner))
    caf_version::tell(this, caf::actor_cast<subscription_listener>(owner),
                      std::move(message));
}

// -- what callers say ---------------------------------------------------------

caf::result<std::uint64_t> connection_actor::on_listen(const listen& message) {
  auto owner = message.owner ? message.owner : current_sender();
  if (auto error = check(message, owner))
    return error;
  if (auto* end = std::get_if<closed>(&phase_))
    return to_error(end->reason);
  if (drain_deadline_)
    return to_error(close_reason{});
  if (std::holds_alternative<idle>(phase_))
    start_server();
  const auto id = next_subscription_id();
  auto& added
    = subscriptions_
        .emplace(id, subscription{id,
                                  caf::actor_cast<caf::actor_addr>(owner),
                                  message.options,
                                  message.filter,
                                  {},
                                  event_buffer{message.options}})
        .first->second;
  watch_actor(owner);
  // The id is told before anything that carries it.
  auto promise = make_response_promise<std::uint64_t>();
  promise.deliver(id);
  request_listen(added);
  return promise;
}

caf::result<void> connection_actor::on_grant(const grant_events& message) {
  auto found = subscriptions_.find(message.id);
  if (found == subscriptions_.end())
    return caf::unit;
  found->second.events.grant(message.count);
  deliver_events(found->second);
  return caf::unit;
}

caf::result<void>
connection_actor::on_cancel_subscription(const cancel_subscription& message) {
  close_subscription(message.id, subscription_end::cancelled);
  return caf::unit;
}

// -- what the server is asked -------------------------------------------------

void connection_actor::request_listen(subscription& which) {
  pending_request request;
  request.purpose = request_purpose::listen;
  request.method = "subscriptions/listen";
  request.subscription = which.id;
  request.timeout = options_->request_timeout;
  // Once accepted, it waits for the next process as long as the connection.
  request.deadline = which.was_accepted ? clock::time_point::max()
                                        : clock::now() + request.timeout;
  auto& added = requests_.add(std::move(request), nullptr);
  which.request = added.id;
  if (std::holds_alternative<ready>(phase_))
    dispatch_listen(added);
  arm_timer();
}

void connection_actor::dispatch_listen(pending_request& request) {
  const auto& current = std::get<ready>(phase_);
  auto& which = subscriptions_.at(request.subscription);
  auto wanted = supported_part(which.filter, current.session.capabilities);
  if (is_empty(wanted)) {
    close_subscription(which.id, subscription_end::failed, nothing_supported());
    return;
  }
  refresh_log_level();
  if (current.session.era == era::modern && wants_changes(which.filter)) {
    request.params = listen_params(which.filter);
    requests_.set_deadline(
      request, std::min(request.deadline, clock::now() + request.timeout));
    request.written_as = write(outgoing_request{
      request.id, request.method, request.params, current.meta, false});
    arm_timer();
    return;
  }
  requests_.take(std::exchange(which.request, 0));
  if (current.session.era == era::legacy)
    subscribe_uris(which, wanted);
  else
    accept(which, std::move(wanted));
}

/// MCP 2025-11-25, Resources, Subscriptions: a request for each URI. Lists need
/// none: their notifications come anyway.
void connection_actor::subscribe_uris(subscription& which,
                                      const listen_filter& wanted) {
  which.accepted = wanted;
  which.accepted.uris.clear();
  for (const auto& uri : wanted.uris) {
    switch (uris_.add(uri, which.id)) {
      case uri_refs::standing::confirmed:
        which.accepted.uris.push_back(uri);
        break;
      case uri_refs::standing::unknown:
        uris_.asked(uri,
                    send_own_request(request_purpose::subscribe,
                                     "resources/subscribe", {{"uri", uri}}));
        [[fallthrough]];
      case uri_refs::standing::asked:
        which.unanswered_uris.insert(uri);
        break;
    }
  }
  accept_if_answered(which);
}

std::int64_t connection_actor::send_own_request(request_purpose purpose,
                                                std::string method,
                                                boost::json::object params) {
  pending_request request;
  request.purpose = purpose;
  request.method = std::move(method);
  request.params = payload{boost::json::value(std::move(params))};
  request.timeout = options_->request_timeout;
  request.deadline = clock::now() + request.timeout;
  auto& added = requests_.add(std::move(request), nullptr);
  const auto id = added.id;
  dispatch(added);
  arm_timer();
  return id;
}

void connection_actor::accept_if_answered(subscription& which) {
  if (!which.unanswered_uris.empty())
    return;
  if (is_empty(which.accepted))
    close_subscription(which.id, subscription_end::failed, which.refusal);
  else
    accept(which, std::move(which.accepted));
}

void connection_actor::accept(subscription& which, listen_filter granted) {
  which.accepted = std::move(granted);
  which.is_open = true;
  if (std::exchange(which.was_accepted, true))
    tell_owner(which, subscription_resumed{which.id, which.accepted});
  else
    tell_owner(which, subscription_accepted{which.id, which.accepted});
}

/// The level that most is heard of wins; each listener gets what it asked for.
void connection_actor::refresh_log_level() {
  auto* current = std::get_if<ready>(&phase_);
  if (current == nullptr)
    return;
  std::optional<log_level> wanted;
  if (supported_part({.log = log_level::debug}, current->session.capabilities)
        .log)
    for (const auto& [_, each] : subscriptions_)
      if (each.filter.log)
        wanted = std::min(wanted.value_or(*each.filter.log), *each.filter.log);
  if (std::exchange(asked_log_level_, wanted) == wanted)
    return;
  if (current->session.era == era::modern)
    current->meta = with_log_level(current->meta, wanted);
  else if (wanted)
    send_own_request(request_purpose::unattended, "logging/setLevel",
                     {{"level", to_string(*wanted)}});
}

// -- what the server says -----------------------------------------------------

void connection_actor::on_own_result(const pending_request& request) {
  if (request.purpose == request_purpose::subscribe) {
    on_uri_answer(request, {});
    return;
  }
  auto found = subscriptions_.find(request.subscription);
  if (found == subscriptions_.end())
    return;
  // MCP 2026-07-28, Subscriptions: the response is the graceful end.
  if (found->second.is_open)
    close_subscription(found->first, subscription_end::finished);
  else
    close_subscription(
      found->first, subscription_end::failed,
      local_error(errc::invalid_response,
                  request.method + ": ended before it was acknowledged"));
}

void connection_actor::on_own_failure(const pending_request& request,
                                      const caf::error& error) {
  if (request.purpose == request_purpose::subscribe)
    on_uri_answer(request, error);
  else if (request.purpose == request_purpose::listen)
    close_subscription(request.subscription, subscription_end::failed, error);
}

void connection_actor::on_uri_answer(const pending_request& request,
                                     const caf::error& error) {
  const std::string uri{request.params.string_member("uri")};
  const auto listeners
    = error ? uris_.refuse(uri, request.id) : uris_.confirm(uri, request.id);
  for (auto id : listeners) {
    auto& which = subscriptions_.at(id);
    if (which.unanswered_uris.erase(uri) == 0)
      continue;
    if (error)
      which.refusal = error;
    else
      which.accepted.uris.push_back(uri);
    accept_if_answered(which);
  }
}

void connection_actor::on_report(const incoming_notification& message) {
  const auto* current = std::get_if<ready>(&phase_);
  if (current == nullptr)
    return;
  const auto is_modern = current->session.era == era::modern;
  if (is_modern && message.method == "notifications/subscriptions/acknowledged")
    on_acknowledged(message.params);
  if (is_modern && message.method == "notifications/cancelled")
    on_withdrawn(message.params);
  auto event = read_event(message);
  if (!event)
    return;
  cache_.on_event(*event);
  if (is_modern && event->kind != event_kind::log_message) {
    auto id = message.params.member("_meta").member(subscription_id_key);
    auto* which = find_by_request(id.value());
    if (which != nullptr && which->is_open
        && wants_kind(which->accepted, *event))
      push(*which, std::move(*event));
    return;
  }
  for (auto next = subscriptions_.begin(); next != subscriptions_.end();) {
    auto& which = (next++)->second; // which may be closed now
    if (which.is_open && wants_event(which.accepted, *event))
      push(which, *event);
  }
}

void connection_actor::on_acknowledged(const payload& params) {
  auto id = params.member("_meta").member(subscription_id_key);
  auto* which = find_by_request(id.value());
  if (which == nullptr || which->is_open)
    return;
  // A listen that is open has no deadline.
  requests_.set_deadline(*requests_.find(which->request),
                         clock::time_point::max());
  auto granted = acknowledged_part(which->filter, params);
  granted.log = supported_part(which->filter,
                               std::get<ready>(phase_).session.capabilities)
                  .log;
  accept(*which, std::move(granted));
}

void connection_actor::on_withdrawn(const payload& params) {
  auto* which = find_by_request(params.member("requestId").value());
  if (which == nullptr)
    return;
  requests_.take(std::exchange(which->request, 0));
  close_subscription(which->id, subscription_end::withdrawn);
}

subscription*
connection_actor::find_by_request(const boost::json::value& value) {
  const auto id = value.is_int64() ? std::optional{value.get_int64()}
                                   : read_own_id(boost::json::serialize(value));
  auto* request = id ? requests_.find(*id) : nullptr;
  if (request == nullptr || request->purpose != request_purpose::listen
      || !request->is_sent())
    return nullptr;
  return &subscriptions_.at(request->subscription);
}

void connection_actor::push(subscription& which, server_event event) {
  if (which.events.push(std::move(event)))
    deliver_events(which);
  else
    close_subscription(which.id, subscription_end::failed,
                       local_error(errc::subscription_overflow,
                                   "listen: more than "
                                     + std::to_string(which.events.waiting())
                                     + " events wait for credit"));
}

void connection_actor::deliver_events(subscription& which) {
  while (auto next = which.events.next()) {
    if (next->dropped > 0)
      tell_owner(which, events_dropped{which.id, next->dropped});
    tell_owner(which, subscription_event{which.id, std::move(next->event)});
  }
}

// -- ends ---------------------------------------------------------------------

void connection_actor::suspend_subscriptions(const close_reason& reason) {
  uris_.clear();
  asked_log_level_.reset();
  for (auto next = subscriptions_.begin(); next != subscriptions_.end();) {
    auto& which = (next++)->second; // which may be closed now
    if (which.request != 0 && requests_.find(which.request) != nullptr)
      continue; // waits for its first process
    which.request = 0;
    which.is_open = false;
    which.unanswered_uris.clear();
    if (which.options.on_reconnect == reconnect_choice::end)
      close_subscription(which.id, subscription_end::failed, to_error(reason));
    else
      request_listen(which);
  }
}

void connection_actor::end_subscriptions(const caf::error& error) {
  uris_.clear();
  for (auto& [_, which] : std::exchange(subscriptions_, {})) {
    requests_.take(which.request);
    if (auto dropped = which.events.drop_all(); dropped > 0)
      tell_owner(which, events_dropped{which.id, dropped});
    tell_owner(which,
               subscription_closed{which.id, subscription_end::failed, error});
  }
}

void connection_actor::forget_subscriptions_of(const caf::actor_addr& owner) {
  for (auto next = subscriptions_.begin(); next != subscriptions_.end();) {
    const auto& which = (next++)->second; // which may be closed now
    if (which.owner == owner)
      close_subscription(which.id, subscription_end::cancelled);
  }
}

/// Tells the owner, and the server if it does not know.
void connection_actor::close_subscription(std::uint64_t id,
                                          subscription_end how,
                                          const caf::error& error) {
  auto found = subscriptions_.extract(id);
  if (found.empty())
    return;
  auto& which = found.mapped();
  if (auto dropped = which.events.drop_all(); dropped > 0)
    tell_owner(which, events_dropped{id, dropped});
  tell_owner(which, subscription_closed{id, how, error});
  if (auto request = requests_.take(which.request))
    cancel_on_server(*request, "nobody listens");
  if (std::holds_alternative<ready>(phase_))
    for (const auto& uri : uris_.remove(id))
      send_own_request(request_purpose::unattended, "resources/unsubscribe",
                       {{"uri", uri}});
  refresh_log_level();
}

} // namespace caf_mcp
