#pragma once

#include "caf_mcp/actors/loop/io_loop.hpp"
#include "caf_mcp/actors/port/child_io.hpp"
#include "caf_mcp/actors/port/escalation.hpp"
#include "caf_mcp/actors/port/process_group.hpp"

#include <boost/asio/steady_timer.hpp>

#include <array>
#include <cstdint>
#include <functional>
#include <memory>

namespace caf_mcp {

/// Makes a child and its process group leave, and reaps the child last, so that
/// no signal can reach a pid that is somebody else's by then; where somebody
/// else in this process reaped it, only as long as nobody has got its number.
/// Waits on pidfds,
/// never by polling (without pidfds the end of a grandchild is noticed at the
/// next step). Where nobody can tell whether the group has members, it takes
/// all its steps. Keeps reading stdout and stderr, so that a server blocked in
/// a write can leave.
///
/// Lives on its loop, not in an actor: it goes on when the actor that began it
/// is killed, and the loop waits for it when it stops. Loop thread only.
class shutdown_sequence
  : public std::enable_shared_from_this<shutdown_sequence> {
public:
  /// Starts the sequence for the child `pid`, whose descriptors are `io`. Calls
  /// `on_done` once: when the group is gone and the child is reaped, or when
  /// the steps gave up, after which the child is still reaped whenever it ends.
  static void start(std::shared_ptr<io_loop> loop, pid_t pid, child_io io,
                    escalation steps, std::function<void()> on_done);

  /// Use `start`.
  shutdown_sequence(std::shared_ptr<io_loop> loop, pid_t pid, child_io io,
                    escalation steps, std::function<void()> on_done);

private:
  using descriptor = child_io::descriptor;

  enum class phase : std::uint8_t {
    /// The leader runs.
    leader,
    /// The leader has ended and is not reaped; others of its group may run.
    group,
    /// The leader is reaped, or left to a thread that reaps it: `pid_` may be
    /// anybody's.
    over,
  };

  void run();
  void take_step();
  void signal(int number);

  /// Returns what tells the leader from others that get its number.
  int exit_watch();
  void wait_for_leader();
  void on_exit_notice();
  void look_at_group();
  void on_look(group_members found);
  void wait_for_member(pid_t member);
  void on_group_empty();
  void give_up();
  void reap_leader();
  void drain(descriptor& pipe);
  void finish();

  /// Empty once it is done.
  std::shared_ptr<io_loop> loop_;
  pid_t pid_;
  phase phase_ = phase::leader;
  bool is_looking_ = false;
  escalation steps_;
  std::function<void()> on_done_;
  child_io io_;
  /// A pidfd of a member that is waited for.
  descriptor member_;
  boost::asio::steady_timer timer_;
  std::array<char, 4096> drained_{};
};

} // namespace caf_mcp
