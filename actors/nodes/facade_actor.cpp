#include "caf_mcp/actors/nodes/facade_actor.hpp"

#include "caf_mcp/actors/nodes/facade_agent.hpp"
#include "caf_mcp/messages/error_info.hpp"

#include <caf/actor_cast.hpp>
#include <caf/actor_system.hpp>

#include <type_traits>
#include <utility>

namespace caf_mcp {

namespace {

/// Makes the agent of a facade call `what` with itself.
template <class Function>
void to_agent(const caf::strong_actor_ptr& agent, Function what) {
  if (auto* self = static_cast<facade_agent*>(
        caf::actor_cast<caf::abstract_actor*>(agent)))
    post(agent, [self, what = std::move(what)]() mutable { what(*self); });
}

// -- what a message keeps in memory, about ------------------------------------

std::size_t bytes_of(const boost::json::value& value) {
  std::size_t result = sizeof(value);
  if (const auto* text = value.if_string()) {
    result += text->size();
  } else if (const auto* array = value.if_array()) {
    for (const auto& each : *array)
      result += bytes_of(each);
  } else if (const auto* object = value.if_object()) {
    for (const auto& each : *object)
      result += each.key().size() + bytes_of(each.value());
  }
  return result;
}

template <class Message>
std::size_t bytes_of(const Message& request) {
  return request.method.size() + bytes_of(request.params.value());
}

std::size_t bytes_of(const listen_filter& filter) {
  std::size_t result = 0;
  for (const auto& each : filter.uris)
    result += each.size();
  return result;
}

} // namespace

facade_actor::facade_actor(caf::actor_config& cfg, mcp_server server,
                           caf::strong_actor_ptr caller, server_offer offer,
                           std::shared_ptr<peer_account> account)
  : facade_base{cfg},
    server_{std::move(server)},
    caller_{std::move(caller)},
    account_{std::move(account)},
    offered_{std::move(offer)} {
  // nop
}

facade_actor::behavior_type facade_actor::make_behavior() {
  agent_ = caf::actor_cast<caf::strong_actor_ptr>(
    system().spawn<facade_agent>(std::exchange(server_, nullptr), this));
  watch_caller();
  return {
    [this](open_connection& message) {
      return pass_on_counted<session_info>(std::move(message),
                                           peer_use::request);
    },
    [this](get_session& message) {
      return pass_on_counted<session_info>(std::move(message),
                                           peer_use::request);
    },
    [this](send_request& message) {
      return pass_on_checked<payload>(std::move(message));
    },
    [this](list_all& message) { return on_list_all(message); },
    [this](send_notification& message) {
      return pass_on_checked<void>(std::move(message));
    },
    [this](cancel_request& message) {
      return pass_on_counted<void>(std::move(message), peer_use::control);
    },
    [this](listen& message) { return on_listen(message); },
    [this](grant_events& message) { return on_subscription(message); },
    [this](cancel_subscription& message) { return on_subscription(message); },
    [this](send_pipelined& message) { return on_send_pipelined(message); },
    [this](await_answers& message) { return on_await_answers(message); },
  };
}

void facade_actor::on_exit() {
  to_agent(agent_, [](facade_agent& agent) { agent.end(); });
  agent_ = nullptr;
  caller_ = nullptr;
  questions_.clear();
  slots_.clear();
  subscriptions_.clear();
}

// -- from the caller ----------------------------------------------------------

template <class Answer, class Message>
caf::result<Answer> facade_actor::pass_on(Message message, peer_share share) {
  auto answer = make_response_promise<Answer>();
  const auto number = ++last_number_;
  questions_.emplace(number, open_question{answer, std::move(share)});
  to_agent(agent_,
           [number, message = std::move(message)](facade_agent& agent) mutable {
             agent.ask<Answer>(number, std::move(message));
           });
  return answer;
}

template <class Answer, class Message>
caf::result<Answer> facade_actor::pass_on_counted(Message message,
                                                  peer_use use) {
  if (auto error = check_sender())
    return error;
  auto share = account_->take(use);
  if (!share)
    return std::move(share.error());
  return pass_on<Answer>(std::move(message), std::move(*share));
}

template <class Answer, class Message>
caf::result<Answer> facade_actor::pass_on_checked(Message message) {
  // Lest a stranger learns which tools are offered.
  if (auto error = check_sender())
    return error;
  if (auto error = offered_.check(message.method, message.params, tasks_))
    return error;
  auto share = account_->take(peer_use::request, bytes_of(message));
  if (!share)
    return std::move(share.error());
  return pass_on<Answer>(std::move(message), std::move(*share));
}

caf::result<payload> facade_actor::on_list_all(list_all& message) {
  if (auto error = check_sender())
    return error;
  auto share = account_->take(peer_use::request);
  if (!share)
    return std::move(share.error());
  if (message.kind == list_kind::tools)
    tool_lists_.insert(last_number_ + 1);
  return pass_on<payload>(std::move(message), std::move(*share));
}

caf::result<void> facade_actor::on_send_pipelined(send_pipelined& message) {
  return on_pipelined<void>(message);
}

caf::result<pipelined_answers>
facade_actor::on_await_answers(await_answers& message) {
  return on_pipelined<pipelined_answers>(message);
}

/// A request of a pipeline cannot fail but in its place: where there is no room
/// for that either, the caller learns of it by the end of this actor.
template <class Answer, class Message>
caf::result<Answer> facade_actor::on_pipelined(Message& message) {
  if (auto error = check_sender())
    return error;
  auto share = account_->take(peer_use::control);
  auto error = share ? take(message.pipeline, message.requests)
                     : std::move(share.error());
  if (error) {
    quit();
    return error;
  }
  if constexpr (std::is_same_v<Message, await_answers>)
    awaited_pipelines_.emplace(last_number_ + 1, message.pipeline);
  return pass_on<Answer>(std::move(message), std::move(*share));
}

caf::error facade_actor::take(std::uint64_t pipeline,
                              std::vector<pipelined_request>& requests) {
  for (auto& each : requests)
    if (auto error = take(slot_key{pipeline, each.slot}, each))
      return error;
  return {};
}

/// The answer must come among the others of the pipeline, which the connection
/// hands out: a request without a method is one that it refuses by itself.
caf::error facade_actor::take(const slot_key& key, pipelined_request& request) {
  const auto& asked = request.request;
  open_slot added;
  added.refusal = offered_.check(asked.method, asked.params, tasks_);
  if (!added.refusal) {
    if (auto share = account_->take(peer_use::request, bytes_of(asked)))
      added.share = std::move(*share);
    else
      added.refusal = std::move(share.error());
  }
  if (added.refusal) {
    auto share = account_->take(peer_use::control);
    if (!share)
      return std::move(share.error());
    added.share = std::move(*share);
    request.request = {};
  }
  slots_.emplace(key, std::move(added));
  return {};
}

void facade_actor::on_offer(server_offer offer) {
  if (offer.remote)
    offered_ = offered_tools{std::move(offer)};
  else
    quit();
}

caf::result<std::uint64_t> facade_actor::on_listen(listen& message) {
  if (auto error = check_sender())
    return error;
  if (message.owner && message.owner != caller_)
    return config_error("owner", "must be the sender, which is on another "
                                 "node");
  auto share = account_->take(peer_use::request, bytes_of(message.filter));
  if (!share)
    return std::move(share.error());
  auto answer = make_response_promise<std::uint64_t>();
  const auto number = ++last_number_;
  questions_.emplace(number, open_question{answer, std::move(*share)});
  message.owner = nullptr;
  to_agent(agent_,
           [number, message = std::move(message)](facade_agent& agent) mutable {
             agent.subscribe(number, std::move(message));
           });
  return answer;
}

template <class Message>
caf::result<void> facade_actor::on_subscription(Message message) {
  if (auto error = check_sender())
    return error;
  const auto found = subscriptions_.find(message.id);
  if (found == subscriptions_.end())
    return caf::unit; // it has ended, or is somebody else's
  message.id = found->second.id;
  to_agent(agent_, [message](facade_agent& agent) { agent.tell(message); });
  return caf::unit;
}

caf::error facade_actor::check_sender() {
  // Another proxy may claim to be the same actor.
  if (current_sender() && current_sender().get() == caller_.get())
    return {};
  return local_error(errc::capability_missing,
                     "only the actor that has looked the server up may use "
                     "what it was answered");
}

void facade_actor::watch_caller() {
  if (!caller_)
    return;
  caf::actor_cast<caf::abstract_actor*>(caller_)->attach_functor(
    [this, self = caf::weak_actor_ptr{ctrl()}](const caf::error&) {
      post(self.lock(), [this] { quit(); });
    });
}

// -- from the agent -----------------------------------------------------------

template <class Answer>
void facade_actor::on_answer(std::uint64_t number,
                             facade_answer<Answer> answer) {
  auto taken = questions_.extract(number);
  if (!taken)
    return;
  auto& to = std::get<promise<Answer>>(taken.mapped().promise);
  if constexpr (std::is_same_v<
                  Answer, payload> || std::is_same_v<Answer, pipelined_answers>)
    if (answer)
      hide(number, *answer);
  tool_lists_.erase(number);
  awaited_pipelines_.erase(number);
  if (!answer)
    to.deliver(std::move(answer.error()));
  else if constexpr (std::is_void_v<Answer>)
    to.deliver();
  else
    to.deliver(std::move(*answer));
}

void facade_actor::hide(std::uint64_t number, payload& answer) {
  tasks_.note(answer);
  answer = tool_lists_.contains(number) ? offered_.in_list(answer)
                                        : offered_.in_result(answer);
}

void facade_actor::hide(std::uint64_t number, pipelined_answers& answers) {
  const auto pipeline = awaited_pipelines_.at(number);
  for (auto& each : answers.answers) {
    tasks_.note(each.result);
    each.result = offered_.in_result(each.result);
    const auto found = slots_.find({pipeline, each.slot});
    if (found == slots_.end())
      continue;
    if (each.error && found->second.refusal)
      each.error = std::move(found->second.refusal);
    slots_.erase(found);
  }
}

template void facade_actor::on_answer(std::uint64_t,
                                      facade_answer<session_info>);
template void facade_actor::on_answer(std::uint64_t, facade_answer<payload>);
template void facade_actor::on_answer(std::uint64_t, facade_answer<void>);
template void facade_actor::on_answer(std::uint64_t,
                                      facade_answer<std::uint64_t>);
template void facade_actor::on_answer(std::uint64_t,
                                      facade_answer<pipelined_answers>);

void facade_actor::on_subscribed(std::uint64_t number, std::uint64_t id) {
  const auto upper = static_cast<std::uint64_t>(random_());
  const auto public_id = upper << 32U | random_();
  auto& share = questions_.at(number).share;
  subscriptions_.emplace(public_id, open_subscription{id, std::move(share)});
  public_ids_.emplace(id, public_id);
  on_answer<std::uint64_t>(number, public_id);
}

/// However the caller answers, the server may send the next report: another
/// peer could forge the answer.
void facade_actor::on_progress(std::uint64_t number, progress report) {
  auto is_taken = [this, number] {
    to_agent(agent_, [number](facade_agent& agent) { agent.on_taken(number); });
  };
  caf_version::ask(*this, caf::actor_cast<progress_listener>(caller_),
                   caf::infinite, std::move(report))
    .then(is_taken, [is_taken](const caf::error&) { is_taken(); });
}

template <class Report>
void facade_actor::on_report(Report report) {
  const auto found = public_ids_.find(report.id);
  if (found == public_ids_.end())
    return;
  report.id = found->second;
  if constexpr (std::is_same_v<Report, subscription_closed>) {
    subscriptions_.erase(found->second);
    public_ids_.erase(found);
  }
  caf_version::tell(this, caf::actor_cast<subscription_listener>(caller_),
                    std::move(report));
}

template void facade_actor::on_report(subscription_accepted);
template void facade_actor::on_report(subscription_event);
template void facade_actor::on_report(events_dropped);
template void facade_actor::on_report(subscription_resumed);
template void facade_actor::on_report(subscription_closed);

} // namespace caf_mcp
