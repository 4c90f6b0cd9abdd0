#include "caf_mcp/actors/caf_io_version.hpp"
#include "caf_mcp/actors/connection_actor.hpp"
#include "caf_mcp/actors/hub/remote_server_actor.hpp"
#include "caf_mcp/messages/error_info.hpp"

#include <caf/actor_cast.hpp>
#include <caf/actor_system.hpp>

#include <algorithm>
#include <chrono>
#include <set>
#include <utility>

namespace caf_mcp {

namespace {

/// Time that a node gets for each step of the way to a server.
constexpr std::chrono::seconds node_limit{10};

} // namespace

connection spawn_remote_server(caf::actor_system& system, node_address where,
                               std::string name) {
  return connection{
    system.spawn<remote_server_actor>(std::move(where), std::move(name))};
}

remote_server_actor::remote_server_actor(caf::actor_config& cfg,
                                         node_address where,
                                         std::string server_name)
  : connection_and_progress::base{cfg},
    where_{std::move(where)},
    server_name_{std::move(server_name)} {
  // nop
}

remote_server_actor::behavior_type remote_server_actor::make_behavior() {
  caf_version::set_down_handler(
    this, [this](const caf::actor_addr& source, const caf::error&) {
      on_actor_down(source);
    });
  return {
    [this](open_connection) { return on_open(); },
    [this](get_session) { return on_get_session(); },
    [this](const send_request& message) { return on_call(message); },
    [this](const list_all& message) { return on_call(message); },
    [this](const send_notification& message) {
      return on_notification(message);
    },
    [this](const cancel_request& message) { return on_cancel(message); },
    [this](const close_connection&) { return on_close(); },
    [this](watch_status) { return on_watch(); },
    [](const listen&) -> caf::result<std::uint64_t> {
      return config_error("listen",
                          "subscriptions do not reach other nodes yet");
    },
    [](const grant_events&) {},
    [](const cancel_subscription&) {},
    [this](const send_pipelined& message) {
      return on_send_pipelined(message);
    },
    [this](const await_answers& message) { return on_await_answers(message); },
    [this](const progress& report) { return on_progress(report); },
  };
}

void remote_server_actor::on_exit() {
  if (!std::holds_alternative<closed>(phase_))
    on_close();
}

// -- messages -----------------------------------------------------------------

caf::result<session_info> remote_server_actor::on_open() {
  if (std::holds_alternative<closed>(phase_))
    return to_error(close_reason{});
  if (const auto& opener = current_sender(); !owner_ && opener) {
    owner_ = caf::actor_cast<caf::actor_addr>(opener);
    watch_actor(opener);
  }
  if (std::holds_alternative<ready>(phase_))
    return on_get_session();
  auto promise = make_response_promise<session_info>();
  open_promises_.push_back(promise);
  connect();
  return promise;
}

caf::result<session_info> remote_server_actor::on_get_session() {
  if (const auto* current = std::get_if<ready>(&phase_))
    return caf_version::pass_on(this, current->server, get_session{});
  session_info result;
  result.state = status().state;
  return result;
}

caf::result<payload> remote_server_actor::on_call(call message) {
  const auto caller = current_sender();
  auto promise = make_response_promise<payload>();
  accept(std::move(message), caller, reply{promise});
  return promise;
}

caf::result<void>
remote_server_actor::on_send_pipelined(const send_pipelined& message) {
  const auto caller = current_sender();
  if (!caller)
    return nobody_waits();
  auto& stream = answer_streams_.get(caf::actor_cast<caf::actor_addr>(caller),
                                     message.pipeline);
  for (const auto& each : message.requests)
    accept(each.request, caller, reply{stream, each.slot});
  answer_streams_.flush();
  return caf::unit;
}

caf::result<pipelined_answers>
remote_server_actor::on_await_answers(const await_answers& message) {
  const auto caller = current_sender();
  if (!caller)
    return nobody_waits();
  auto& stream = answer_streams_.get(caf::actor_cast<caf::actor_addr>(caller),
                                     message.pipeline);
  auto promise = make_response_promise<pipelined_answers>();
  stream.waiting = promise;
  for (const auto& each : message.requests)
    accept(each.request, caller, reply{stream, each.slot});
  answer_streams_.flush();
  return promise;
}

void remote_server_actor::accept(call message,
                                 const caf::strong_actor_ptr& caller,
                                 reply to) {
  if (std::holds_alternative<closed>(phase_)) {
    to.deliver(lost_error(close_reason{}, "not_sent"));
    return;
  }
  const auto tag = ++last_tag_;
  auto& added = calls_[tag];
  if (caller) {
    added.caller = caf::actor_cast<caf::actor_addr>(caller);
    watch_actor(caller);
  }
  added.reply = std::move(to);
  added.message = std::move(message);
  std::visit(
    [&added, tag](auto& x) { added.tag = std::exchange(x.options.tag, tag); },
    added.message);
  if (std::holds_alternative<ready>(phase_))
    dispatch(tag);
  else
    connect();
}

caf::result<void>
remote_server_actor::on_notification(const send_notification& message) {
  if (const auto* current = std::get_if<ready>(&phase_))
    return caf_version::pass_on(this, current->server, message);
  close_reason reason;
  if (!std::holds_alternative<closed>(phase_))
    reason.cause = close_cause::node_lost;
  return to_error(reason);
}

caf::result<void>
remote_server_actor::on_cancel(const cancel_request& message) {
  const auto caller = caf::actor_cast<caf::actor_addr>(current_sender());
  std::vector<std::uint64_t> tags;
  for (const auto& [tag, each] : calls_)
    if (each.caller == caller && each.tag == message.tag)
      tags.push_back(tag);
  for (auto tag : tags) {
    cancel_on_server(tag, message.reason);
    complete(tag, local_error(errc::cancelled, "cancelled"));
  }
  return caf::unit;
}

caf::result<void> remote_server_actor::on_close() {
  for (const auto& [tag, each] : calls_)
    if (each.is_sent)
      cancel_on_server(tag, "the caller closes");
  lose([](std::string_view outcome) { return lost_error({}, outcome); }, {});
  phase_ = closed{};
  tell_watchers(status());
  quit();
  return caf::unit;
}

caf::result<void> remote_server_actor::on_watch() {
  if (const auto& watcher = current_sender()) {
    auto address = caf::actor_cast<caf::actor_addr>(watcher);
    if (std::find(watchers_.begin(), watchers_.end(), address)
        == watchers_.end())
      watchers_.push_back(address);
    watch_actor(watcher);
    caf_version::tell(this, caf::actor_cast<status_listener>(watcher),
                      status());
  }
  return caf::unit;
}

/// Its sender, the connection on the other node, hears from the caller whether
/// it took the report.
caf::result<void> remote_server_actor::on_progress(const progress& report) {
  auto found = calls_.find(report.tag);
  if (found == calls_.end())
    return caf::unit; // it came too late
  auto caller = caf::actor_cast<caf::strong_actor_ptr>(found->second.caller);
  if (!caller)
    return caf::unit;
  auto copy = report;
  copy.tag = found->second.tag;
  return caf_version::pass_on(this, caf::actor_cast<progress_listener>(caller),
                              std::move(copy));
}

void remote_server_actor::on_actor_down(const caf::actor_addr& source) {
  monitors_.erase(source);
  if (const auto* current = std::get_if<ready>(&phase_);
      current != nullptr && source == current->server.address()) {
    lose_node("the connection to " + to_string(where_) + " was lost");
    return;
  }
  if (owner_ == source) {
    on_close();
    return;
  }
  std::erase(watchers_, source);
  std::vector<std::uint64_t> tags;
  for (const auto& [tag, each] : calls_)
    if (each.caller == source)
      tags.push_back(tag);
  for (auto tag : tags) {
    cancel_on_server(tag, "the requester is gone");
    calls_.erase(tag);
  }
  answer_streams_.forget(source);
}

// -- the node -----------------------------------------------------------------

void remote_server_actor::connect() {
  if (!std::holds_alternative<idle>(phase_))
    return;
  phase_ = connecting{};
  caf_version::connect_node(*this, where_.host, where_.port, node_limit)
    .then(
      [this](const caf::node_id&, const caf::strong_actor_ptr& node,
             const std::set<std::string>&) {
        if (node)
          look_up_server(caf::actor_cast<gateway>(node));
        else
          lose_node("nothing is published at " + to_string(where_));
      },
      [this](const caf::error& error) {
        lose_node("cannot connect to " + to_string(where_) + ": "
                  + caf::to_string(error));
      });
}

void remote_server_actor::look_up_server(const gateway& node) {
  caf_version::ask(*this, node, node_limit, look_up{server_name_})
    .then([this](mcp_server& server) { become_ready(std::move(server)); },
          [this](const caf::error& error) {
            if (describe(error).name == "connection_closed"
                || describe(error).name == "request_timeout")
              lose_node("the node at " + to_string(where_)
                        + " does not answer");
            else // its hub does not know the server
              lose([&error](std::string_view) { return error; },
                   {close_cause::node_lost, 0, describe(error).message, ""});
          });
}

void remote_server_actor::become_ready(mcp_server server) {
  if (!std::holds_alternative<connecting>(phase_))
    return; // closed meanwhile
  watch_actor(caf::actor_cast<caf::strong_actor_ptr>(server));
  phase_ = ready{std::move(server)};
  tell_watchers(status());
  for (auto& promise : std::exchange(open_promises_, {})) {
    caf_version::ask(*this, std::get<ready>(phase_).server, caf::infinite,
                     get_session{})
      .then(
        [promise](session_info& session) mutable {
          promise.deliver(std::move(session));
        },
        [promise](caf::error& error) mutable {
          promise.deliver(std::move(error));
        });
  }
  std::vector<std::uint64_t> tags;
  for (const auto& [tag, each] : calls_)
    tags.push_back(tag);
  for (auto tag : tags)
    dispatch(tag);
}

void remote_server_actor::lose_node(const std::string& detail) {
  const close_reason reason{close_cause::node_lost, 0, detail, ""};
  lose(
    [&reason](std::string_view outcome) { return lost_error(reason, outcome); },
    reason);
}

void remote_server_actor::lose(
  const std::function<caf::error(std::string_view)>& error_for,
  const close_reason& reason) {
  phase_ = idle{};
  for (auto& [tag, each] : std::exchange(calls_, {}))
    each.reply.deliver(error_for(each.is_sent ? "unknown" : "not_sent"));
  answer_streams_.flush();
  for (auto& promise : std::exchange(open_promises_, {}))
    promise.deliver(error_for("not_sent"));
  auto now = status();
  now.reason = reason;
  tell_watchers(now);
}

// -- requests -----------------------------------------------------------------

void remote_server_actor::dispatch(std::uint64_t tag) {
  auto& sent = calls_[tag];
  sent.is_sent = true;
  std::visit(
    [this, tag](const auto& message) {
      caf_version::ask(*this, std::get<ready>(phase_).server, caf::infinite,
                       message)
        .then(
          [this, tag](payload& result) { complete(tag, std::move(result)); },
          [this, tag](caf::error& error) { complete(tag, std::move(error)); });
    },
    sent.message);
}

void remote_server_actor::complete(std::uint64_t tag,
                                   caf::expected<payload> outcome) {
  auto found = calls_.find(tag);
  if (found == calls_.end())
    return; // cancelled, or lost
  auto to = std::move(found->second.reply);
  calls_.erase(found);
  if (outcome)
    to.deliver(std::move(*outcome));
  else
    to.deliver(std::move(outcome.error()));
  answer_streams_.flush();
}

void remote_server_actor::cancel_on_server(std::uint64_t tag,
                                           const std::string& reason) {
  if (const auto* current = std::get_if<ready>(&phase_))
    caf_version::tell(this, current->server, cancel_request{tag, reason});
}

// -- watchers -----------------------------------------------------------------

status_changed remote_server_actor::status() const {
  status_changed result;
  if (std::holds_alternative<connecting>(phase_))
    result.state = connection_state::connecting;
  else if (std::holds_alternative<ready>(phase_))
    result.state = connection_state::ready;
  else if (std::holds_alternative<closed>(phase_))
    result.state = connection_state::closed;
  return result;
}

void remote_server_actor::tell_watchers(const status_changed& status) {
  for (const auto& watcher : watchers_)
    if (auto strong = caf::actor_cast<caf::strong_actor_ptr>(watcher))
      caf_version::tell(this, caf::actor_cast<status_listener>(strong), status);
}

void remote_server_actor::watch_actor(const caf::strong_actor_ptr& whom) {
  auto address = caf::actor_cast<caf::actor_addr>(whom);
  if (monitors_.contains(address))
    return;
  monitors_.emplace(
    address,
    caf_version::watch(this, whom,
                       [this](const caf::actor_addr& source,
                              const caf::error&) { on_actor_down(source); }));
}

} // namespace caf_mcp
