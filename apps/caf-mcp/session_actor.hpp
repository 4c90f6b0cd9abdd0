#pragma once

#include "caf_mcp/actors/client.hpp"
#include "caf_mcp/actors/interfaces.hpp"
#include "caf_mcp/messages/error_info.hpp"

#include "diagnostics.hpp"

#include <caf/actor_config.hpp>
#include <caf/result.hpp>
#include <caf/timespan.hpp>
#include <caf/typed_event_based_actor.hpp>
#include <caf/typed_response_promise.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace caf_mcp::tool {

/// A connection, and what its server reports of a running request.
using interruptible_connection
  = connection::extend<caf::result<void>(progress)>;

/// Stands between the main thread, which waits, and the connection, so that a
/// signal can end the waiting: it passes everything on, until `cancel_request`
/// ends all that runs, and all that is asked for later but `close_connection`,
/// with the error `cancelled`.
///
/// Owns the connection, being the one that opens it. Links and monitors nobody;
/// runs until it is told to exit.
class session_actor final : public interruptible_connection::base {
public:
  /// `open_timeout` bounds the time until the server is ready; after it,
  /// `lateness` says who has not done what.
  session_actor(caf::actor_config& cfg, connection server,
                std::shared_ptr<diagnostics> console,
                std::optional<caf::timespan> open_timeout,
                std::string lateness);

  void on_exit() override;

protected:
  behavior_type make_behavior() override;

private:
  caf::result<session_info> on_open();
  caf::result<std::uint64_t> on_listen(listen message);
  void on_interrupt();

  /// Asks the connection for the sender. `Answer` is what it answers.
  template <class Answer, class Message>
  caf::result<Answer> forward(Message message,
                              caf::timespan timeout = caf::infinite);

  caf::error explain(caf::error error) const;

  connection server_;
  std::shared_ptr<diagnostics> console_;
  std::optional<caf::timespan> open_timeout_;
  std::string lateness_;
  bool is_interrupted_ = false;
  /// Who waits for events; only one does.
  subscription_listener listener_;
  /// Ends what waits for an answer.
  std::vector<std::function<void(const caf::error&)>> running_;
};

} // namespace caf_mcp::tool
