#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tests {

/// Returns whether a process, or a zombie, has this pid.
bool exists(std::int64_t pid);

/// Returns whether a process of this group runs; zombies do not count.
bool group_runs(std::int64_t pgid);

/// Returns the children of this process, zombies included.
std::vector<std::int64_t> children();

/// Returns how many descriptors this process has open.
std::size_t open_descriptors();

} // namespace tests
