#pragma once

#include <optional>
#include <sys/types.h>

namespace caf_mcp {

/// Returns a process of the group `pgid` that still runs, other than the
/// leader; nothing if there is none. Zombies do not count: `kill(-pgid, 0)`
/// would, which makes it useless for this. Reads /proc (proc(5)).
std::optional<pid_t> find_group_member(pid_t pgid);

} // namespace caf_mcp
