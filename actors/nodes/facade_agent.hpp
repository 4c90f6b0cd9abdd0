#pragma once

#include "caf_mcp/actors/interfaces.hpp"
#include "caf_mcp/actors/nodes/facade_actor.hpp"

#include <caf/result.hpp>
#include <caf/typed_event_based_actor.hpp>
#include <caf/typed_response_promise.hpp>

#include <cstdint>
#include <map>

namespace caf_mcp {

/// What a server tells who has asked it for something.
using report_listener
  = subscription_listener::extend<caf::result<void>(progress)>;

/// The hidden half of a `facade_actor`: a caller on this node, to which the
/// server answers and reports.
///
/// Links: nobody. Monitors: the server. Ends with its facade, or with the
/// server; which cancels what it has asked for. Invariants: talks to its facade
/// by `post` alone, so that no other node learns of it; passes on no error that
/// says more than a `public_error`.
class facade_agent final : public report_listener::base {
public:
  facade_agent(caf::actor_config& cfg, mcp_server server, facade_actor* facade);

  const char* name() const override {
    return "caf_mcp.facade_agent";
  }

  // -- what the facade posts --------------------------------------------------

  template <class Answer, class Message>
  void ask(std::uint64_t number, Message message);
  void subscribe(std::uint64_t number, listen message);
  template <class Message>
  void tell(Message message) {
    caf_version::tell(this, server_, std::move(message));
  }
  /// The caller has taken a report of progress.
  void on_taken(std::uint64_t number);
  void end() {
    quit();
  }

protected:
  behavior_type make_behavior() override;

private:
  caf::result<void> on_progress(progress& report);
  void on_server_down();
  /// Makes the facade call `what` with itself.
  template <class Function>
  void to_facade(Function what);

  mcp_server server_;
  facade_actor* facade_;
  caf::weak_actor_ptr facade_pointer_;
  std::uint64_t last_number_ = 0;
  std::map<std::uint64_t, caf::typed_response_promise<void>> progress_promises_;
};

} // namespace caf_mcp
