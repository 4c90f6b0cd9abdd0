#include "caf_mcp/actors/port/group_scanner.hpp"

#include "caf_mcp/actors/port/background.hpp"

#include <utility>

namespace caf_mcp {

void group_scanner::look(pid_t pgid,
                         std::function<void(group_members)> on_done) {
  {
    std::unique_lock guard{mutex_};
    waiting_.push_back({pgid, std::move(on_done)});
    if (std::exchange(runs_, true))
      return;
  }
  if (run_in_background([self = shared_from_this()] { self->run(); }) != 0)
    give_up();
}

void group_scanner::run() {
  for (auto looks = take(); !looks.empty(); looks = take())
    answer(looks);
}

/// Returns what waits; if nothing does, the thread ends.
std::vector<group_scanner::wanted> group_scanner::take() {
  std::unique_lock guard{mutex_};
  runs_ = !waiting_.empty();
  return std::exchange(waiting_, {});
}

void group_scanner::answer(const std::vector<wanted>& looks) const {
  std::vector<pid_t> pgids;
  for (const auto& each : looks)
    pgids.push_back(each.pgid);
  const auto found = scan_(pgids);
  for (std::size_t i = 0; i < looks.size(); ++i)
    looks[i].on_done(found[i]);
}

/// There is no thread to be had.
void group_scanner::give_up() {
  std::vector<wanted> looks;
  {
    std::unique_lock guard{mutex_};
    looks = std::exchange(waiting_, {});
    runs_ = false;
  }
  for (const auto& each : looks)
    each.on_done({});
}

void look_for_members(pid_t pgid, std::function<void(group_members)> on_done) {
  // Shared with its thread, which may still be on its way out when the program
  // ends.
  static const auto all = std::make_shared<group_scanner>(
    [](const std::vector<pid_t>& pgids) { return scan_groups(pgids); });
  all->look(pgid, std::move(on_done));
}

} // namespace caf_mcp
