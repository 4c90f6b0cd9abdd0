#include "caf_mcp/actors/nodes/facade_agent.hpp"

#include "caf_mcp/actors/nodes/public_errors.hpp"

#include <caf/actor_cast.hpp>

#include <type_traits>
#include <utility>

namespace caf_mcp {

namespace {

template <class Answer>
void hide_errors(Answer& answer) {
  if constexpr (std::is_same_v<Answer, pipelined_answers>)
    for (auto& each : answer.answers)
      each.error = public_error(each.error);
}

} // namespace

facade_agent::facade_agent(caf::actor_config& cfg, mcp_server server,
                           facade_actor* facade)
  : report_listener::base{cfg},
    server_{std::move(server)},
    facade_{facade},
    facade_pointer_{facade->ctrl()} {
  // nop
}

facade_agent::behavior_type facade_agent::make_behavior() {
  caf_version::set_down_handler(
    this,
    [this](const caf::actor_addr&, const caf::error&) { on_server_down(); });
  caf_version::watch(
    this, caf::actor_cast<caf::strong_actor_ptr>(server_),
    [this](const caf::actor_addr&, const caf::error&) { on_server_down(); });
  auto relay = [this](auto& report) {
    to_facade([report = std::move(report)](facade_actor& facade) mutable {
      facade.on_report(std::move(report));
    });
  };
  return {
    [relay](subscription_accepted& report) { relay(report); },
    [relay](subscription_event& report) { relay(report); },
    [relay](events_dropped& report) { relay(report); },
    [relay](subscription_resumed& report) { relay(report); },
    [relay](subscription_closed& report) {
      report.error = public_error(report.error);
      relay(report);
    },
    [this](progress& report) { return on_progress(report); },
  };
}

template <class Answer, class Message>
void facade_agent::ask(std::uint64_t number, Message message) {
  auto fail = [this, number](const caf::error& error) {
    to_facade([number, error = public_error(error)](facade_actor& facade) {
      facade.on_answer<Answer>(number, error);
    });
  };
  auto handle
    = caf_version::ask(*this, server_, caf::infinite, std::move(message));
  if constexpr (std::is_void_v<Answer>)
    std::move(handle).then(
      [this, number] {
        to_facade([number](facade_actor& facade) {
          facade.on_answer<void>(number, facade_answer<void>{});
        });
      },
      fail);
  else
    std::move(handle).then(
      [this, number](Answer& answer) {
        hide_errors(answer);
        to_facade(
          [number, answer = std::move(answer)](facade_actor& facade) mutable {
            facade.on_answer<Answer>(number, std::move(answer));
          });
      },
      fail);
}

template void facade_agent::ask<session_info>(std::uint64_t, open_connection);
template void facade_agent::ask<session_info>(std::uint64_t, get_session);
template void facade_agent::ask<payload>(std::uint64_t, send_request);
template void facade_agent::ask<payload>(std::uint64_t, list_all);
template void facade_agent::ask<void>(std::uint64_t, send_notification);
template void facade_agent::ask<void>(std::uint64_t, cancel_request);
template void facade_agent::ask<void>(std::uint64_t, send_pipelined);
template void facade_agent::ask<pipelined_answers>(std::uint64_t,
                                                   await_answers);

void facade_agent::subscribe(std::uint64_t number, listen message) {
  message.owner = nullptr; // which makes this actor the owner
  caf_version::ask(*this, server_, caf::infinite, std::move(message))
    .then(
      [this, number](std::uint64_t id) {
        to_facade([number, id](facade_actor& facade) {
          facade.on_subscribed(number, id);
        });
      },
      [this, number](const caf::error& error) {
        to_facade([number, error = public_error(error)](facade_actor& facade) {
          facade.on_answer<std::uint64_t>(number, error);
        });
      });
}

/// The server sends the next report when this one is answered.
caf::result<void> facade_agent::on_progress(progress& report) {
  auto promise = make_response_promise<void>();
  const auto number = ++last_number_;
  progress_promises_.emplace(number, promise);
  to_facade([number, report = std::move(report)](facade_actor& facade) mutable {
    facade.on_progress(number, std::move(report));
  });
  return promise;
}

void facade_agent::on_taken(std::uint64_t number) {
  if (auto taken = progress_promises_.extract(number))
    taken.mapped().deliver();
}

void facade_agent::on_server_down() {
  to_facade([](facade_actor& facade) { facade.on_server_down(); });
  quit();
}

template <class Function>
void facade_agent::to_facade(Function what) {
  post(facade_pointer_.lock(),
       [facade = facade_, what = std::move(what)]() mutable { what(*facade); });
}

} // namespace caf_mcp
