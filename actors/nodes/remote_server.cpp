// Calls to a server of other nodes, and who made them.
#include "caf_mcp/actors/connection/connection_actor.hpp"
#include "caf_mcp/actors/nodes/front_actor.hpp"
#include "caf_mcp/actors/nodes/remote_server_actor.hpp"
#include "caf_mcp/messages/error_info.hpp"

#include <boost/asio/steady_timer.hpp>
#include <caf/actor_cast.hpp>
#include <caf/actor_system.hpp>

#include <algorithm>
#include <memory>
#include <random>
#include <type_traits>
#include <utility>

namespace caf_mcp {

namespace {

template <class Message, class... Signatures>
answer_to<Message, Signatures...>
answer_of_handle(const caf::typed_actor<Signatures...>&);

/// What a server of another node answers to `Message`.
template <class Message>
using answer_of_server
  = decltype(answer_of_handle<Message>(std::declval<mcp_server>()));

/// How long a call waits for one node alone, if there are others.
constexpr std::chrono::milliseconds patience{250};

std::uint64_t random_tag() {
  std::random_device random;
  return std::uint64_t{random()} << 31U ^ random();
}

} // namespace

connection spawn_remote_server(caf::actor_system& system,
                               std::vector<node_address> nodes,
                               std::string name) {
  return connection{
    system.spawn<remote_server_actor>(std::move(nodes), std::move(name))};
}

connection spawn_remote_server(caf::actor_system& system, node_address node,
                               std::string name) {
  return spawn_remote_server(system, std::vector{std::move(node)},
                             std::move(name));
}

remote_server_actor::remote_server_actor(caf::actor_config& cfg,
                                         std::vector<node_address> nodes,
                                         std::string server_name)
  : connection_and_reports::base{cfg},
    rotation_{nodes.size()},
    server_name_{std::move(server_name)},
    last_tag_{random_tag()} {
  for (auto& where : nodes)
    links_.push_back({std::move(where), idle{}});
}

remote_server_actor::behavior_type remote_server_actor::make_behavior() {
  caf_version::set_down_handler(
    this, [this](const caf::actor_addr& source, const caf::error&) {
      on_actor_down(source);
    });
  return {
    [this](open_connection) { return on_open(); },
    [this](get_session) { return on_get_session(); },
    [this](const send_request& message) { return on_request(message); },
    [this](const list_all& message) { return on_request(message); },
    [this](const send_notification& message) {
      return on_notification(message);
    },
    [this](const cancel_request& message) { return on_cancel(message); },
    [this](const close_connection&) { return on_close(); },
    [this](watch_status) { return on_watch(); },
    [this](const listen& message) { return on_listen(message); },
    [this](const grant_events& message) { return on_grant(message); },
    [this](const cancel_subscription& message) {
      return on_cancel_subscription(message);
    },
    [this](const await_answers& message) {
      return await_answers_of(this, answer_streams_, message,
                              &remote_server_actor::accept_all);
    },
    [this](const send_pipelined& message) {
      return take_pipelined(this, message, &remote_server_actor::accept_all);
    },
    [this](const progress& report) { return on_progress(report); },
    [this](const subscription_accepted& report) { relay(report); },
    [this](const subscription_event& report) { relay(report); },
    [this](const events_dropped& report) { relay(report); },
    [this](const subscription_resumed& report) { relay(report); },
    [this](subscription_closed& report) { on_subscription_closed(report); },
  };
}

void remote_server_actor::on_exit() {
  if (!is_closed_)
    on_close();
  for (auto& each : links_)
    each.phase = idle{};
}

// -- messages -----------------------------------------------------------------

caf::result<session_info> remote_server_actor::on_open() {
  const auto opener = current_sender();
  if (!is_closed_ && !owner_ && opener) {
    owner_ = caf::actor_cast<caf::actor_addr>(opener);
    watch_actor(opener);
  }
  pending_call added;
  added.message = open_connection{};
  return accept<session_info>(std::move(added), opener);
}

caf::result<session_info> remote_server_actor::on_get_session() {
  for (std::size_t i = 0; i < links_.size(); ++i)
    if (const auto* server = server_of(i))
      return ask_in_own_name<session_info>(*server, get_session{});
  session_info result;
  result.state = status().state;
  return result;
}

template <class Message>
caf::result<payload> remote_server_actor::on_request(Message message) {
  pending_call added;
  added.tag = std::exchange(message.options.tag, last_tag_ + 1);
  added.message = std::move(message);
  return accept<payload>(std::move(added), current_sender());
}

caf::result<void>
remote_server_actor::on_notification(const send_notification& message) {
  for (std::size_t i = 0; i < links_.size(); ++i)
    if (const auto* server = server_of(i))
      return ask_in_own_name<void>(*server, message);
  close_reason reason;
  if (!is_closed_)
    reason.cause = close_cause::node_lost;
  return to_error(reason);
}

caf::result<void>
remote_server_actor::on_cancel(const cancel_request& message) {
  const auto caller = caf::actor_cast<caf::actor_addr>(current_sender());
  std::vector<std::uint64_t> tags;
  for (const auto& [tag, each] : calls_)
    if (each.caller == caller && each.tag == message.tag
        && std::holds_alternative<reply>(each.promise))
      tags.push_back(tag);
  for (auto tag : tags) {
    cancel_on_server(calls_.at(tag), tag, message.reason);
    fail(tag, local_error(errc::cancelled, "cancelled"));
  }
  return caf::unit;
}

caf::result<void> remote_server_actor::on_close() {
  is_closed_ = true;
  for (auto& [tag, each] : std::exchange(calls_, {})) {
    cancel_on_server(each, tag, "the caller closes");
    std::visit(
      [sent = each.is_sent](auto& promise) {
        promise.deliver(lost_error({}, sent ? "unknown" : "not_sent"));
      },
      each.promise);
  }
  answer_streams_.flush();
  for (std::size_t i = 0; i < links_.size(); ++i)
    end_subscriptions_of(i, to_error(close_reason{}));
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
  return ask_in_own_name<void>(caf::actor_cast<progress_listener>(caller),
                               std::move(copy));
}

/// The other node serves this actor alone, and learns of no other.
template <class Answer, class Handle, class Message>
caf::result<Answer> remote_server_actor::ask_in_own_name(const Handle& whom,
                                                         Message message) {
  auto promise = std::make_shared<caf::typed_response_promise<Answer>>(
    make_response_promise<Answer>());
  auto handle
    = caf_version::ask(*this, whom, caf::infinite, std::move(message));
  auto fail
    = [promise](caf::error& error) { promise->deliver(std::move(error)); };
  if constexpr (std::is_void_v<Answer>)
    std::move(handle).then([promise] { promise->deliver(); }, fail);
  else
    std::move(handle).then(
      [promise](Answer& answer) { promise->deliver(std::move(answer)); }, fail);
  return *promise;
}

void remote_server_actor::on_actor_down(const caf::actor_addr& source) {
  monitors_.forget(source);
  for (std::size_t i = 0; i < links_.size(); ++i) {
    const auto* phase = std::get_if<connecting>(&links_[i].phase);
    if (const auto* server = server_of(i);
        server != nullptr && source == server->address())
      lose_node(i, "the connection to " + to_string(links_[i].where)
                     + " was lost");
    else if (phase != nullptr && phase->asked == source)
      repeat_look_up(i);
  }
  if (owner_ == source) {
    on_close();
    return;
  }
  std::erase(watchers_, source);
  forget_subscriptions_of(source);
  std::erase_if(calls_, [this, &source](const auto& each) {
    if (each.second.caller != source)
      return false;
    cancel_on_server(each.second, each.first, "the requester is gone");
    return true;
  });
  answer_streams_.forget(source);
}

// -- calls --------------------------------------------------------------------

template <class Answer>
caf::result<Answer>
remote_server_actor::accept(pending_call added,
                            const caf::strong_actor_ptr& caller) {
  if (is_closed_)
    return lost_error(close_reason{}, "not_sent");
  // Before the promise is made, which clears the sender.
  const auto sender = caller;
  auto promise = make_response_promise<Answer>();
  if constexpr (std::is_same_v<Answer, payload>)
    added.promise = reply{promise};
  else
    added.promise = promise;
  add(std::move(added), sender);
  return promise;
}

template caf::result<std::uint64_t>
remote_server_actor::accept(pending_call, const caf::strong_actor_ptr&);

void remote_server_actor::accept_all(
  std::uint64_t pipeline, const std::vector<pipelined_request>& requests,
  const caf::strong_actor_ptr& caller) {
  auto& stream
    = answer_streams_.get(caf::actor_cast<caf::actor_addr>(caller), pipeline);
  for (const auto& each : requests) {
    reply to{stream, each.slot};
    if (is_closed_) {
      to.deliver(lost_error(close_reason{}, "not_sent"));
      continue;
    }
    auto message = each.request;
    pending_call added;
    added.tag = std::exchange(message.options.tag, last_tag_ + 1);
    added.message = std::move(message);
    added.promise = std::move(to);
    add(std::move(added), caller);
  }
  answer_streams_.flush();
}

void remote_server_actor::add(pending_call added,
                              const caf::strong_actor_ptr& caller) {
  if (caller) {
    added.caller = caf::actor_cast<caf::actor_addr>(caller);
    watch_actor(caller);
  }
  const auto tag = ++last_tag_;
  calls_.emplace(tag, std::move(added));
  pass_to_next(tag, {});
}

/// A call that no node has seen waits for the first that it was given to, and
/// is given to one more whenever that takes long.
void remote_server_actor::pass_to_next(std::uint64_t tag, caf::error error) {
  auto& which = calls_.at(tag);
  which.is_sent = false;
  const auto next = rotation_.next(which.tried, clock::now());
  if (!next) {
    if (!waits_for_connection(which))
      fail(tag, std::move(error));
    return;
  }
  which.tried.insert(*next);
  if (server_of(*next) == nullptr)
    connect(*next);
  else
    return dispatch(tag, *next);
  if (!calls_.contains(tag))
    return; // it could not even be tried
  if (const auto other = ready_node_for(which))
    dispatch(tag, *other);
  else if (which.tried.size() < links_.size())
    run_after(patience, [this, tag] {
      if (const auto found = calls_.find(tag);
          found != calls_.end() && !found->second.is_sent)
        pass_to_next(tag, {});
    });
}

bool remote_server_actor::waits_for_connection(
  const pending_call& which) const {
  return std::any_of(which.tried.begin(), which.tried.end(), [this](auto each) {
    return std::holds_alternative<connecting>(links_[each].phase);
  });
}

std::optional<std::size_t>
remote_server_actor::ready_node_for(const pending_call& which) const {
  for (std::size_t i = 0; i < links_.size(); ++i)
    if (server_of(i) != nullptr && !which.tried.contains(i))
      return i;
  return std::nullopt;
}

/// An actor of CAF 0.18 cannot be woken by a time-out that is forgotten: one
/// would keep it alive. This one only knows it weakly.
void remote_server_actor::run_after(std::chrono::milliseconds pause,
                                    std::function<void()> what) {
  const auto timer
    = std::make_shared<boost::asio::steady_timer>(io_->context(), pause);
  timer->async_wait(
    [timer, self = caf::weak_actor_ptr{ctrl()},
     what = std::move(what)](const boost::system::error_code& error) {
      if (!error)
        post(self.lock(), what);
    });
}

void remote_server_actor::dispatch(std::uint64_t tag, std::size_t link) {
  auto& which = calls_.at(tag);
  which.link = link;
  which.tried.insert(link);
  which.is_sent = true;
  std::visit(
    [this, tag, &server = *server_of(which.link)](const auto& message) {
      using answer = answer_of_server<std::decay_t<decltype(message)>>;
      caf_version::ask(*this, server, caf::infinite, message)
        .then([this, tag](answer& value) { on_answer(tag, value); },
              [this, tag](caf::error& error) {
                on_failure(tag, std::move(error));
              });
    },
    which.message);
}

template <class Answer>
void remote_server_actor::on_answer(std::uint64_t tag, Answer& answer) {
  auto found = calls_.find(tag);
  if (found == calls_.end()) { // cancelled, or lost
    if constexpr (std::is_same_v<Answer, std::uint64_t>)
      caf_version::tell(this, caf::actor_cast<mcp_server>(current_sender()),
                        cancel_subscription{answer});
    return;
  }
  auto which = std::move(found->second);
  calls_.erase(found);
  if constexpr (std::is_same_v<Answer, payload>) {
    std::get<reply>(which.promise).deliver(std::move(answer));
    answer_streams_.flush();
  } else if constexpr (std::is_same_v<Answer, std::uint64_t>) {
    // The caller gets the id before the first message that carries it.
    std::get<caf::typed_response_promise<Answer>>(which.promise).deliver(tag);
    subscribe(tag, which, answer);
  } else {
    std::get<caf::typed_response_promise<Answer>>(which.promise)
      .deliver(std::move(answer));
  }
}

/// A call that no server has seen goes on to the next node: a server that is
/// down on one node may be up on another.
void remote_server_actor::on_failure(std::uint64_t tag, caf::error error) {
  if (!calls_.contains(tag))
    return; // cancelled, or lost
  const auto info = describe(error);
  if (info.origin == error_origin::local
      && info.data.string_member("outcome") == "not_sent")
    pass_to_next(tag, std::move(error));
  else
    fail(tag, std::move(error));
}

void remote_server_actor::fail(std::uint64_t tag, caf::error error) {
  auto which = calls_.extract(tag);
  std::visit([&error](auto& promise) { promise.deliver(std::move(error)); },
             which.mapped().promise);
  answer_streams_.flush();
}

void remote_server_actor::cancel_on_server(const pending_call& which,
                                           std::uint64_t tag,
                                           const std::string& reason) {
  if (which.is_sent)
    tell_server(which.link, cancel_request{tag, reason});
}

// -- watchers -----------------------------------------------------------------

status_changed remote_server_actor::status() const {
  status_changed result;
  for (const auto& each : links_) {
    if (std::holds_alternative<ready>(each.phase))
      result.state = connection_state::ready;
    else if (std::holds_alternative<connecting>(each.phase)
             && result.state == connection_state::idle)
      result.state = connection_state::connecting;
  }
  if (is_closed_)
    result.state = connection_state::closed;
  return result;
}

void remote_server_actor::tell_watchers(const status_changed& status) {
  for (const auto& watcher : watchers_)
    if (auto strong = caf::actor_cast<caf::strong_actor_ptr>(watcher))
      caf_version::tell(this, caf::actor_cast<status_listener>(strong), status);
}

void remote_server_actor::watch_actor(const caf::strong_actor_ptr& whom) {
  monitors_.add(this, whom, [this](const caf::actor_addr& source) {
    on_actor_down(source);
  });
}

} // namespace caf_mcp
