#pragma once

#include "caf_mcp/messages/port.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace caf_mcp {

/// What waits for the log actor of a server, one batch at a time: the next is
/// handed out when the actor has dealt with the last, so that a slow one costs
/// bounded memory, whatever the server writes.
class log_queue {
public:
  /// Beyond this, the oldest lines are dropped and counted.
  static constexpr std::size_t bytes_max = 256 * 1024;

  void add_stderr(std::vector<std::string> lines);
  void add_junk(std::vector<std::string> lines);

  bool empty() const noexcept {
    return next_.stderr_lines.empty() && next_.junk_lines.empty();
  }

  /// Returns what waits.
  server_output take();

private:
  void make_room();

  server_output next_;
  std::size_t bytes_ = 0;
};

} // namespace caf_mcp
