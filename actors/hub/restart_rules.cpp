#include "caf_mcp/actors/hub/restart_rules.hpp"

#include <algorithm>
#include <array>
#include <cerrno>

namespace caf_mcp {

namespace {

/// Returns whether this process had no descriptor, process or memory left,
/// which says nothing about the server.
bool is_own_shortage(const close_reason& reason) {
  constexpr std::array shortages{EMFILE, ENFILE, ENOMEM, EAGAIN};
  return reason.cause == close_cause::spawn_failed
         && std::find(shortages.begin(), shortages.end(), reason.number)
              != shortages.end();
}

} // namespace

restart_decision restart_rules::on_lost(const close_reason& reason,
                                        clock::time_point now) {
  const auto is_clean
    = reason.cause == close_cause::exit_status && reason.number == 0;
  if (policy_.restart == restart_policy::temporary
      || (policy_.restart == restart_policy::transient && is_clean))
    return restart_decision::stop;
  if (is_own_shortage(reason))
    return restart_decision::restart;
  while (!restarts_.empty()
         && now - restarts_.front() >= policy_.restart_period)
    restarts_.pop_front();
  if (restarts_.size() >= policy_.max_restarts)
    return restart_decision::give_up;
  restarts_.push_back(now);
  return restart_decision::restart;
}

} // namespace caf_mcp
