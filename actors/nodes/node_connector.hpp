#pragma once

#include "caf_mcp/actors/nodes/io_thread.hpp"
#include "caf_mcp/actors/nodes/node_greeting.hpp"

#include <cstdint>
#include <memory>
#include <string>

namespace caf_mcp {

/// Connects to `host`, and proves who is who unless there is no `context`;
/// calls `on_end` in the thread of `io`, once, at `deadline` at the latest.
/// Never blocks. A name is looked up in a thread of its own, which nobody waits
/// for: the C library has no way to end that.
void connect_to_node(const std::shared_ptr<io_thread>& io,
                     const std::string& host, std::uint16_t port,
                     const std::shared_ptr<tls_context>& context,
                     node_greeting::clock::time_point deadline,
                     node_greeting::handler on_end);

} // namespace caf_mcp
