#include "tree.hpp"

#include <algorithm>
#include <chrono>

namespace caf_mcp::tool {

tree::tree(caf::scoped_actor& self, hub servers, output_format format,
           diagnostics& console)
  : self_{self},
    servers_{std::move(servers)},
    format_{format},
    console_{console} {
  if (auto known = ask(get_servers{}))
    for (const auto& status : *known)
      states_[status.name] = status.state;
  caf_version::tell(self_.ptr(), servers_, watch_servers{});
}

std::optional<server_status> tree::next_change(caf::timespan limit) {
  std::optional<server_status> result;
  if (is_interrupted_)
    return result;
  auto on_change = [this, &result](server_changed& event) {
    states_[event.status.name] = event.status.state;
    result = std::move(event.status);
  };
  auto on_interrupt = [this](cancel_request) { is_interrupted_ = true; };
  if (limit == caf::infinite)
    self_->receive(on_change, on_interrupt);
  else
    self_->receive(
      on_change, on_interrupt, caf::after(limit) >> [] {});
  return result;
}

void tree::settle(caf::timespan limit) {
  using clock = std::chrono::steady_clock;
  const auto end = clock::now() + limit;
  for (auto now = clock::now(); !is_settled() && now < end; now = clock::now())
    if (!next_change(end - now))
      return;
}

/// The tool has all servers started at once, so that idle ones are on their
/// way, too.
bool tree::is_settled() const {
  return std::none_of(states_.begin(), states_.end(), [](const auto& each) {
    return each.second == server_state::idle
           || !caf_mcp::is_settled(each.second);
  });
}

} // namespace caf_mcp::tool
