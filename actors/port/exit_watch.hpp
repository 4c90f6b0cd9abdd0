#pragma once

#include "caf_mcp/actors/port/unique_fd.hpp"

#include <sys/types.h>

namespace caf_mcp {

/// Returns a descriptor that becomes readable when a child ends, without
/// reaping it: a pidfd (pidfd_open(2)), or where the kernel, a sandbox or
/// Valgrind has none, a pipe that a thread closes. Empty, with `errno` set, if
/// there are no descriptors or threads left.
unique_fd watch_exit(pid_t child);

/// Reaps a child whenever it ends, in a thread of its own: for one that
/// outlives its loop. `exit` is what `watch_exit` returned; it may be empty.
void reap_in_background(pid_t child, unique_fd exit);

} // namespace caf_mcp
