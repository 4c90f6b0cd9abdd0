#pragma once

namespace caf_mcp {

/// Closes all descriptors from `first` on. Async-signal-safe, so that a child
/// may call it between vfork and exec; works on kernels and in sandboxes
/// without `close_range`, and without /proc.
void close_from(int first) noexcept;

} // namespace caf_mcp
