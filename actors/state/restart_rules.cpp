#include "caf_mcp/actors/state/restart_rules.hpp"

namespace caf_mcp {

restart_verdict restart_rules::on_lost(const close_reason& reason,
                                       clock::time_point now) {
  const auto is_clean
    = reason.cause == close_cause::exit_status && reason.number == 0;
  if (care_.restart == restart_policy::temporary
      || (care_.restart == restart_policy::transient && is_clean))
    return restart_verdict::stop;
  while (!restarts_.empty() && now - restarts_.front() >= care_.restart_period)
    restarts_.pop_front();
  if (restarts_.size() >= care_.max_restarts)
    return restart_verdict::give_up;
  restarts_.push_back(now);
  return restart_verdict::restart;
}

} // namespace caf_mcp
