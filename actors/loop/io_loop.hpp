#pragma once

#include "caf_mcp/actors/loop/caf_version.hpp"

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <caf/actor_control_block.hpp>
#include <caf/fwd.hpp>
#include <caf/resumable.hpp>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
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
/// It works in turns. In each of them ready actors, actions for the end of the
/// turn, and handlers of descriptors and timers get a share that is bounded in
/// number and in time, so that none of them can keep the others waiting.
///
/// User code never runs here. SIGPIPE is blocked in the thread, so that a write
/// to a dead server is an error code.
class io_loop final : public caf_version::execution_unit {
public:
  /// How long `stop` waits, by default, for a loop in which nothing happens.
  static constexpr std::chrono::milliseconds default_patience{30'000};

  /// Throws `std::system_error` if no descriptors can be had, or watched.
  explicit io_loop(caf::actor_system& system,
                   std::chrono::milliseconds patience = default_patience);

  io_loop(const io_loop&) = delete;
  io_loop& operator=(const io_loop&) = delete;

  /// The loop must have been stopped, unless it was never started.
  ~io_loop() override;

  /// Starts the thread.
  void start() override;

  /// Makes all pinned actors end, and refuses new ones. Does not wait. Any
  /// thread.
  void begin_stop();

  /// Begins to stop, waits until all pinned actors are gone, then ends the
  /// thread. Bounded by the shutdown sequences of the port owners. Not to be
  /// called from the loop's own thread.
  ///
  /// An actor that hangs, or does not end, is a bug that cannot be survived:
  /// its thread uses memory that the caller is about to free. If nothing ends
  /// for the time of `patience`, the process is aborted with a message.
  void stop() override;

  /// Returns whether `stop` was called. Any thread.
  bool is_ending() const noexcept {
    return ending_;
  }

  /// Returns the context for timers and descriptors of pinned actors.
  boost::asio::io_context& context() noexcept {
    return context_;
  }

  // -- for actors pinned to the loop ------------------------------------------

  /// Keeps `actor` alive, and ends it when the loop stops. Returns false if the
  /// loop is stopping or has stopped: then the actor must end at once.
  [[nodiscard]] bool adopt(const caf::strong_actor_ptr& actor);

  /// Does not keep the actor alive any longer, but still ends it when the loop
  /// stops.
  void unpin(caf::actor_id id);

  /// Forgets an actor that has ended.
  void forget(caf::actor_id id);

  /// Counts something that must end before the loop stops, e.g. a running
  /// shutdown sequence of a process.
  void begin_work();
  void end_work();

  /// Runs `action` on the loop after the ready actors have had their share of
  /// this turn; if an action adds it, in the next turn. Keeps `owner` alive
  /// until then: an action that kept it by itself would need memory of its own.
  /// Loop thread only.
  void at_turn_end(std::function<void()> action,
                   caf::strong_actor_ptr owner = nullptr);

  /// Returns whether the calling thread is the loop's.
  bool runs_here() const noexcept;

  // -- what CAF calls ---------------------------------------------------------

  /// Queues an actor for the next turn; hands one that is not pinned to CAF's
  /// own scheduler, and all of them once the loop has stopped. Any thread.
  void resume_later(caf::resumable* what) override;

private:
  struct turn_end_action {
    caf::strong_actor_ptr owner;
    std::function<void()> run;
  };

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
  void hand_over_rest();
  bool has_work() const noexcept;
  bool may_sleep();
  bool spin();
  void await_pinned_actors();
  void check_progress(std::uint64_t turns_before) const;

  caf::actor_system* actor_system_;
  std::chrono::milliseconds patience_;
  boost::asio::io_context context_;
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type>
    work_;
  std::thread thread_;

  // Loop thread only.
  std::deque<caf::resumable*> ready_;
  std::deque<turn_end_action> turn_end_;
  std::vector<caf::resumable*> arrivals_;
  int spins_skipped_ = 0;
  int spins_to_skip_ = 0;

  // Shared.
  std::mutex inbox_mutex_;
  std::vector<caf::resumable*> inbox_;
  bool asleep_ = false;
  bool has_ended_ = false;
  std::atomic<bool> arrived_ = false;
  std::atomic<bool> ending_ = false;
  std::atomic<bool> stopped_ = false;
  /// Written by the loop thread, read by the one that stops it.
  std::atomic<std::uint64_t> turns_ = 0;

  std::mutex pinned_mutex_;
  std::condition_variable pinned_changed_;
  std::unordered_map<caf::actor_id, pinned_entry> pinned_;
  std::size_t work_count_ = 0;
  bool is_stopping_ = false;
  /// Counts what ended.
  std::uint64_t ends_ = 0;
};

} // namespace caf_mcp
