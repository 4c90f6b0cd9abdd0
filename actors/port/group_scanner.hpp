#pragma once

#include "caf_mcp/actors/port/process_group.hpp"

#include <functional>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace caf_mcp {

/// Looks for members of process groups in a thread of its own, for reading
/// /proc takes long on a machine with many processes. All that wait share one
/// scan. The thread runs only while there is something to look for. Any thread.
class group_scanner : public std::enable_shared_from_this<group_scanner> {
public:
  /// Looks for members of all groups at once; returns one answer a group.
  using scan = std::function<std::vector<group_members>(
    const std::vector<pid_t>& pgids)>;

  explicit group_scanner(scan how) : scan_{std::move(how)} {
    // nop
  }

  /// Calls `on_done` from the scanner's thread; with `unknown`, and from this
  /// one, if there is no thread to be had.
  void look(pid_t pgid, std::function<void(group_members)> on_done);

private:
  struct wanted {
    pid_t pgid = 0;
    std::function<void(group_members)> on_done;
  };

  void run();
  std::vector<wanted> take();
  void answer(const std::vector<wanted>& looks) const;
  void give_up();

  scan scan_;
  std::mutex mutex_;
  std::vector<wanted> waiting_;
  bool runs_ = false;
};

/// Looks for members of a group by `scan_groups`, with one scanner for the
/// whole process.
void look_for_members(pid_t pgid, std::function<void(group_members)> on_done);

} // namespace caf_mcp
