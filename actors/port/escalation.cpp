#include "caf_mcp/actors/port/escalation.hpp"

namespace caf_mcp {

escalation::step escalation::next() noexcept {
  using std::chrono::milliseconds;
  const auto taken = steps_taken_++;
  if (taken == 0)
    return {stop_action::close_stdin, stdin_grace_};
  if (policy_ == stop_policy::close_stdin_only)
    return {stop_action::give_up, milliseconds{0}};
  switch (taken) {
    case 1:
      return {stop_action::terminate, term_grace_};
    case 2:
      return {stop_action::kill, kill_grace};
    default:
      return {stop_action::give_up, milliseconds{0}};
  }
}

} // namespace caf_mcp
