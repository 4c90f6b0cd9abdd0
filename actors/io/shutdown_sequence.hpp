#pragma once

#include "caf_mcp/actors/io/child_process.hpp"
#include "caf_mcp/actors/io/io_loop.hpp"
#include "caf_mcp/actors/state/stop_ladder.hpp"

#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>

#include <array>
#include <functional>
#include <memory>
#include <optional>

namespace caf_mcp {

/// Makes a child and its process group leave, and reaps the child last, so that
/// no signal can reach a pid that is somebody else's by then. Waits on pidfds,
/// never by polling (without pidfds the end of a grandchild is noticed at the
/// next step). Keeps reading stdout and stderr, so that a server blocked
/// in a write can leave.
///
/// Lives on its loop, not in an actor: it goes on when the actor that began it
/// is killed, and the loop waits for it when it stops. Loop thread only.
class shutdown_sequence
  : public std::enable_shared_from_this<shutdown_sequence> {
public:
  /// Starts the sequence for `child`. Calls `on_done` once: when the group is
  /// gone and the child is reaped, or when the ladder gave up, after which the
  /// child is still reaped whenever it ends.
  static void start(std::shared_ptr<io_loop> loop, child_process child,
                    stop_ladder ladder, std::function<void()> on_done);

  /// Use `start`.
  shutdown_sequence(std::shared_ptr<io_loop> loop, child_process child,
                    stop_ladder ladder, std::function<void()> on_done);

private:
  using descriptor = boost::asio::posix::stream_descriptor;

  void run();
  void take_step();
  void wait_for_leader();
  void wait_for_group();
  void on_group_empty();
  void give_up();
  void close_descriptors();
  void drain(descriptor& pipe);
  void finish();

  /// Empty once it is done.
  std::shared_ptr<io_loop> loop_;
  pid_t pid_;
  bool leader_has_ended_ = false;
  /// Set once the child is reaped, or left to a thread that reaps it: then
  /// `pid_` may be anybody's.
  bool reaped_ = false;
  stop_ladder ladder_;
  std::function<void()> on_done_;
  unique_fd stdin_pipe_;
  descriptor leader_;
  descriptor member_;
  descriptor stdout_pipe_;
  descriptor stderr_pipe_;
  boost::asio::steady_timer timer_;
  std::array<char, 4096> drained_{};
};

} // namespace caf_mcp
