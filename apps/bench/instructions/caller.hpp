// What the callers of all scenarios have in common.
#pragma once

#include "caf_mcp/actors/client.hpp"
#include "caf_mcp/actors/loop/pinned_actor.hpp"
#include "caf_mcp/messages/error_info.hpp"

#include "scenario.hpp"

#include <caf/event_based_actor.hpp>

#include <exception>
#include <stdexcept>
#include <utility>

namespace bench::instructions {

/// Runs in the thread of the connection's loop: what it does and what the
/// library does take turns, so that all happens in the same order each time.
/// Lives on until its last answer.
class caller : public caf_mcp::pinned_actor<caf::event_based_actor> {
public:
  caller(caf::actor_config& cfg, std::shared_ptr<caf_mcp::io_loop> loop,
         assignment what)
    : pinned_actor{cfg, std::move(loop)}, what_{std::move(what)} {
    // nop
  }

protected:
  const caf_mcp::connection& server() const noexcept {
    return what_.server;
  }

  void finish() {
    what_.done.set_value();
  }

  void fail(const caf::error& error) {
    what_.done.set_exception(std::make_exception_ptr(
      std::runtime_error{caf_mcp::describe(error).message}));
    quit();
  }

private:
  assignment what_;
};

/// Starts a scenario whose caller is a `Caller`.
template <class Caller>
void start_caller(caf::actor_system& system,
                  const std::shared_ptr<caf_mcp::io_loop>& loop,
                  assignment what) {
  caf_mcp::spawn_pinned<Caller>(system, loop, std::move(what));
}

/// Long enough even where each instruction takes fifty times as long.
inline caf_mcp::request_options never_times_out() {
  caf_mcp::request_options result;
  result.timeout = std::chrono::hours{1};
  result.max_total_timeout = std::chrono::hours{1};
  return result;
}

} // namespace bench::instructions
