#include "caf_mcp/actors/nodes/front_actor.hpp"

#include "caf_mcp/actors/client.hpp"

#include <caf/actor_cast.hpp>
#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/event_based_actor.hpp>
#include <caf/exit_reason.hpp>
#include <caf/scoped_actor.hpp>
#include <caf/send.hpp>
#include <caf/system_messages.hpp>
#include <caf/typed_event_based_actor.hpp>
#include <catch2/catch_test_macros.hpp>

#include <memory>

using namespace caf_mcp;

namespace {

using counter = caf::typed_actor<caf::result<std::uint64_t>(cancel_request)>;

/// Answers with how often it was asked.
class front final : public front_actor<counter::base, front_responses::refused,
                                       cancel_request> {
public:
  explicit front(caf::actor_config& cfg) : front_actor{cfg} {
    // nop
  }

protected:
  behavior_type make_behavior() override {
    return {[this](const cancel_request&) { return ++count_; }};
  }

private:
  std::uint64_t count_ = 0;
};

struct one_front {
  one_front() {
    pointer = caf::actor_cast<caf::strong_actor_ptr>(handle);
  }

  ~one_front() {
    post(pointer,
         [actor = static_cast<front*>(
            caf::actor_cast<caf::abstract_actor*>(handle))] { actor->quit(); });
  }

  void tell(caf::message what, caf::message_id id = caf::make_message_id()) {
    caf_version::enqueue(pointer, self.ptr()->ctrl(), id, std::move(what),
                         nullptr);
  }

  caf::expected<std::uint64_t> ask_it() {
    return ask(self, handle, cancel_request{});
  }

  caf::actor_system_config config;
  caf::actor_system system{config};
  caf::scoped_actor self{system};
  counter handle{system.spawn<front>()};
  caf::strong_actor_ptr pointer;
};

} // namespace

TEST_CASE("a front outlives what is linked to it", "[front_actor]") {
  one_front it;
  for (auto reason :
       {caf::exit_reason::kill, caf::exit_reason::user_shutdown}) {
    auto linked = it.system.spawn([](caf::event_based_actor*) {
      return caf::behavior{[](caf::unit_t) {}};
    });
    auto* own = caf::actor_cast<caf::abstract_actor*>(it.pointer);
    static_cast<caf::monitorable_actor*>(own)->add_link(
      caf::actor_cast<caf::abstract_actor*>(linked));
    caf::anon_send_exit(linked, reason);
    it.self->wait_for(linked);
    CHECK(it.ask_it());
  }
}

TEST_CASE("a front is ended by no message of control", "[front_actor]") {
  one_front it;
  const caf::actor_addr whoever{it.self->address()};
  using caf::make_message;
  it.tell(make_message(caf::exit_msg{whoever, caf::exit_reason::kill}));
  it.tell(
    make_message(caf::exit_msg{whoever, caf::exit_reason::user_shutdown}));
  it.tell(make_message(caf::down_msg{whoever, caf::exit_reason::kill}));
  it.tell(make_message(caf::make_error(caf::sec::runtime_error)));
  it.tell(make_message(caf::link_atom_v, it.pointer));
  it.tell(make_message(caf::unlink_atom_v, it.pointer));
  it.tell(make_message(caf::monitor_atom_v, it.pointer));
  it.tell(make_message(caf::sys_atom_v, caf::get_atom_v, std::string{"info"}));
  for (std::uint64_t number = 1; number < 8; ++number)
    it.tell(make_message(std::uint64_t{1}),
            caf::make_message_id(number).response_id());
  const auto count = it.ask_it();
  REQUIRE(count);
  CHECK(*count == 1);
}
