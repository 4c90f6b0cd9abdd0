#include "event_owner.hpp"

#include <caf/actor_cast.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <stdexcept>
#include <thread>
#include <utility>

namespace bench {

namespace {

class event_owner final : public caf_mcp::subscription_listener::base {
public:
  event_owner(caf::actor_config& cfg, caf_mcp::connection server,
              const owner_habits& habits, std::promise<void> accepted,
              std::promise<owner_tally> ended)
    : typed_event_based_actor{cfg},
      server_{std::move(server)},
      habits_{habits},
      accepted_{std::move(accepted)},
      ended_{std::move(ended)} {
    // nop
  }

protected:
  behavior_type make_behavior() override {
    return {
      [this](const caf_mcp::subscription_accepted&) { accepted_.set_value(); },
      [this](const caf_mcp::subscription_event& event) { on_event(event); },
      [this](const caf_mcp::events_dropped& event) {
        tally_.dropped += event.count;
      },
      [](const caf_mcp::subscription_resumed&) {},
      [this](const caf_mcp::subscription_closed&) {
        ended_.set_value(tally_);
        quit();
      },
    };
  }

private:
  void on_event(const caf_mcp::subscription_event& event) {
    ++tally_.events;
    if (habits_.work.count() > 0)
      std::this_thread::sleep_for(habits_.work); // has a thread of its own
    if (habits_.grant > 0 && tally_.events % habits_.grant == 0)
      caf_mcp::tell(this, server_,
                    caf_mcp::grant_events{event.id, habits_.grant});
  }

  caf_mcp::connection server_;
  owner_habits habits_;
  std::promise<void> accepted_;
  std::promise<owner_tally> ended_;
  owner_tally tally_;
};

/// Spawns an owner; one that takes its time gets a thread of its own.
template <class... Ts>
caf_mcp::subscription_listener spawn_owner(caf::actor_system& system,
                                           bool is_slow, Ts&&... xs) {
  return is_slow
           ? system.spawn<event_owner, caf::detached>(std::forward<Ts>(xs)...)
           : system.spawn<event_owner>(std::forward<Ts>(xs)...);
}

} // namespace

owned_subscription::owned_subscription(caf::actor_system& system,
                                       caf_mcp::connection server,
                                       caf_mcp::listen_filter filter,
                                       const owner_habits& habits)
  : self_{system}, server_{std::move(server)} {
  std::promise<void> accepted;
  std::promise<owner_tally> ended;
  auto is_open = accepted.get_future();
  tally_ = ended.get_future();
  caf_mcp::listen message{std::move(filter), {}, nullptr};
  message.options.credit = habits.credit;
  owner_ = spawn_owner(system, habits.work.count() > 0, server_, habits,
                       std::move(accepted), std::move(ended));
  message.owner = caf::actor_cast<caf::strong_actor_ptr>(owner_);
  const auto id = ask(self_, server_, std::move(message));
  if (!id)
    throw std::runtime_error{caf_mcp::describe(id.error()).message};
  id_ = *id;
  is_open.get();
}

owner_tally owned_subscription::end() {
  caf_mcp::tell(self_, server_, caf_mcp::cancel_subscription{id_});
  return tally_.get();
}

} // namespace bench
