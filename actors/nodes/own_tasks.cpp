#include "caf_mcp/actors/nodes/own_tasks.hpp"

#include <algorithm>

namespace caf_mcp {

void own_tasks::note(const payload& result) {
  // In the modern era it is a member of the result, in the legacy one of `task`
  // (MCP 2025-11-25, Tasks, Creating Tasks).
  const auto task = result.member("task");
  auto id = result.string_member("taskId");
  if (id.empty())
    id = task.string_member("taskId");
  if (id.empty() || id.size() > id_bytes_max || holds(id))
    return;
  if (ids_.size() == tasks_max)
    ids_.pop_front();
  ids_.emplace_back(id);
}

bool own_tasks::holds(std::string_view id) const {
  return std::find(ids_.begin(), ids_.end(), id) != ids_.end();
}

} // namespace caf_mcp
