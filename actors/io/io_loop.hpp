#pragma once

#include "caf_mcp/actors/caf_version.hpp"

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <caf/actor_control_block.hpp>
#include <caf/fwd.hpp>
#include <caf/resumable.hpp>

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <unordered_map>
#include <vector>

namespace caf_mcp {

/// One thread that runs an Asio `io_context` and the actors pinned to it, so
/// that reading a pipe, the actor that owns it and the actor it reports to
/// share a thread. To CAF it is what resumes these actors.
///
/// User code never runs here. SIGPIPE is blocked in the thread, so that a write
/// to a dead server is an error code.
class io_loop final : public caf_version::execution_unit {
public:
  explicit io_loop(caf::actor_system& system);

  io_loop(const io_loop&) = delete;
  io_loop& operator=(const io_loop&) = delete;

  /// The loop must have been stopped, unless it was never started.
  ~io_loop() override;

  /// Starts the thread.
  void start() override;

  /// Ends all pinned actors, waits until they are gone, then ends the thread.
  /// Bounded by the shutdown sequences of the port owners. Not to be called
  /// from the loop's own thread.
  void stop() override;

  /// Returns the context for timers and descriptors of pinned actors.
  boost::asio::io_context& context() noexcept {
    return context_;
  }

  // -- for actors pinned to the loop ------------------------------------------

  /// Keeps `actor` alive, and ends it when the loop stops.
  void adopt(const caf::strong_actor_ptr& actor);

  /// Does not keep the actor alive any longer, but still ends it when the loop
  /// stops.
  void let_go(caf::actor_id id);

  /// Forgets an actor that has ended.
  void forget(caf::actor_id id);

  /// Counts something that must end before the loop stops, e.g. a running
  /// shutdown sequence of a process.
  void begin_work();
  void end_work();

  /// Runs `action` on the loop once no pinned actor has anything left to do.
  /// Loop thread only.
  void at_turn_end(std::function<void()> action);

  /// Returns whether the calling thread is the loop's.
  bool runs_here() const noexcept;

  // -- what CAF calls ---------------------------------------------------------

  /// Queues an actor for the next turn; hands one that is not pinned to CAF's
  /// own scheduler. Any thread.
  void resume_later(caf::resumable* what) override;

private:
  struct pinned_entry {
    /// Empty once the actor was let go.
    caf::strong_actor_ptr strong;
    caf::weak_actor_ptr weak;
  };

  void run();

  /// Returns whether another thread has made an actor ready.
  bool has_arrivals() const noexcept {
    return arrived_.load(std::memory_order_relaxed);
  }

  void take_inbox();
  void run_ready();
  void run_turn_end();
  void poll();
  void run_rest();
  bool may_sleep();
  void sleep();
  bool spin();
  void end_pinned_actors();

  caf::actor_system* actor_system_;
  boost::asio::io_context context_;
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type>
    work_;
  std::thread thread_;

  // Loop thread only.
  std::deque<caf::resumable*> ready_;
  std::vector<std::function<void()>> turn_end_;
  std::vector<caf::resumable*> arrivals_;
  int spins_skipped_ = 0;
  int spins_to_skip_ = 0;

  // Shared.
  std::mutex inbox_mutex_;
  std::vector<caf::resumable*> inbox_;
  bool asleep_ = false;
  std::atomic<bool> arrived_ = false;
  std::atomic<bool> stopped_ = false;

  std::mutex pinned_mutex_;
  std::condition_variable pinned_changed_;
  std::unordered_map<caf::actor_id, pinned_entry> pinned_;
  std::size_t work_count_ = 0;
};

} // namespace caf_mcp
