#pragma once

#include <cstdint>
#include <string>
#include <sys/types.h>
#include <vector>

namespace caf_mcp {

/// What is known of the processes of a group other than its leader.
struct group_members {
  enum class kind : std::uint8_t {
    /// There are none, or only zombies.
    none,
    /// `member` runs, and maybe others.
    some,
    /// Nobody can tell: /proc is not there, is not this system's, or cannot be
    /// read because no descriptors are left. Not the same as `none`.
    unknown,
  };

  kind state = kind::unknown;
  /// Set for `some` only.
  pid_t member = 0;

  friend bool operator==(const group_members&, const group_members&) = default;
};

/// Looks for members of the groups `pgids` by reading /proc (proc(5)) once, or
/// twice where it finds none: a scan is no snapshot, and a process may fork
/// behind its back and end before its turn. Returns one answer a group, in
/// order. Leaders do not count, zombies neither: `kill(-pgid, 0)` would count
/// them. A process whose first thread has ended is no zombie as long as another
/// thread runs. `proc` is another directory for tests.
std::vector<group_members> scan_groups(const std::vector<pid_t>& pgids,
                                       const std::string& proc = "/proc");

/// Returns whether the group `pgid` has no process at all, not even its leader.
/// Costs one system call.
bool is_vacant(pid_t pgid);

} // namespace caf_mcp
