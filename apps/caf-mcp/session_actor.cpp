#include "session_actor.hpp"

#include <caf/actor_cast.hpp>
#include <caf/sec.hpp>

#include <chrono>
#include <type_traits>

namespace caf_mcp::tool {

namespace {

caf::error interrupted() {
  return local_error(errc::cancelled, "interrupted");
}

} // namespace

session_actor::session_actor(caf::actor_config& cfg, connection server,
                             std::shared_ptr<diagnostics> console,
                             std::optional<caf::timespan> open_timeout,
                             std::string lateness)
  : interruptible_connection::base{cfg},
    server_{std::move(server)},
    console_{std::move(console)},
    open_timeout_{open_timeout},
    lateness_{std::move(lateness)} {
  // nop
}

/// CAF keeps this object until the time for the opening has passed, although
/// the answer has come; the connection, and with it the log actor, must not
/// wait.
void session_actor::on_exit() {
  server_ = nullptr;
  interruptible_connection::base::on_exit();
}

session_actor::behavior_type session_actor::make_behavior() {
  return {
    [this](open_connection) { return on_open(); },
    [this](get_session x) { return forward<session_info>(x); },
    [this](const send_request& x) { return forward<payload>(x); },
    [this](const list_all& x) { return forward<payload>(x); },
    [this](const send_notification& x) { return forward<void>(x); },
    [this](const cancel_request&) { on_interrupt(); },
    [this](const close_connection& x) {
      is_interrupted_ = false; // closing is what an interrupt leads to
      return forward<void>(x);
    },
    [this](watch_status x) { return forward<void>(x); },
    [this](const listen& x) { return on_listen(x); },
    [this](grant_events x) { tell(this, server_, x); },
    [this](cancel_subscription x) { tell(this, server_, x); },
    [this](const send_pipelined& x) { return forward<void>(x); },
    [this](const await_answers& x) { return forward<pipelined_answers>(x); },
    [this](const progress& x) { console_->show(x); },
  };
}

caf::result<session_info> session_actor::on_open() {
  return forward<session_info>(open_connection{},
                               open_timeout_.value_or(caf::infinite));
}

caf::result<std::uint64_t> session_actor::on_listen(listen message) {
  if (!message.owner)
    message.owner = current_sender();
  listener_ = caf::actor_cast<subscription_listener>(message.owner);
  return forward<std::uint64_t>(std::move(message));
}

void session_actor::on_interrupt() {
  is_interrupted_ = true;
  // Requests carry the tag 0, and only one runs at a time.
  tell(this, server_, cancel_request{0, "interrupted"});
  for (auto& end : std::exchange(running_, {}))
    end(interrupted());
  if (listener_)
    tell(this, std::exchange(listener_, {}),
         subscription_closed{0, subscription_end::cancelled, {}});
}

template <class Answer, class Message>
caf::result<Answer> session_actor::forward(Message message,
                                           caf::timespan timeout) {
  if (is_interrupted_)
    return interrupted();
  auto promise = make_response_promise<Answer>();
  auto fail = [this, promise](const caf::error& error) mutable {
    if (promise.pending())
      promise.deliver(explain(error));
  };
  if constexpr (!std::is_same_v<Message, close_connection>)
    running_.emplace_back(fail);
  auto answer = caf_version::ask(*this, server_, timeout, std::move(message));
  if constexpr (std::is_void_v<Answer>)
    std::move(answer).then(
      [promise]() mutable {
        if (promise.pending())
          promise.deliver();
      },
      fail);
  else
    std::move(answer).then(
      [promise](Answer& value) mutable {
        if (promise.pending())
          promise.deliver(std::move(value));
      },
      fail);
  return promise;
}

/// Only the opening of the connection is bounded by CAF.
caf::error session_actor::explain(caf::error error) const {
  if (error != caf::sec::request_timeout || !open_timeout_)
    return error;
  using std::chrono::milliseconds;
  auto limit = std::chrono::duration_cast<milliseconds>(*open_timeout_).count();
  return local_error(errc::request_timeout,
                     lateness_ + " within " + std::to_string(limit) + " ms",
                     payload{boost::json::value{{"timeoutMs", limit}}});
}

} // namespace caf_mcp::tool
