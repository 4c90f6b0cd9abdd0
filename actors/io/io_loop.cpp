#include "caf_mcp/actors/io/io_loop.hpp"

#include "caf_mcp/messages/wire/spare_memory.hpp"

#include <boost/asio/post.hpp>
#include <caf/actor_cast.hpp>
#include <caf/actor_system.hpp>
#include <caf/exit_reason.hpp>
#include <caf/mailbox_element.hpp>
#include <caf/message.hpp>
#include <caf/send.hpp>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <sched.h>
#include <utility>

namespace caf_mcp {

namespace {

/// Messages an actor may handle before the next one gets its turn.
constexpr std::size_t messages_per_resume = 128;

/// Resumes between two looks at the descriptors.
constexpr int resumes_per_turn = 64;

/// Handlers of descriptors and timers between two looks at the actors. A server
/// that floods always has one ready.
constexpr int handlers_per_turn = 16;

/// How long the loop looks for work before it sleeps: to be woken up takes
/// longer. Not done while it does not pay, as with servers that take their
/// time.
const auto spin_time = std::thread::hardware_concurrency() > 1
                         ? std::chrono::microseconds{20}
                         : std::chrono::microseconds{0};

/// Sleeps in a row without such a look, at most.
constexpr int spins_skipped_max = 63;

/// The loop that the calling thread runs, if any.
thread_local const io_loop* current_loop = nullptr;

void block_sigpipe() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
}

void release(caf::resumable* what) {
  intrusive_ptr_release(what);
}

} // namespace

io_loop::io_loop(caf::actor_system& system)
  : execution_unit{system},
    actor_system_{&system},
    context_{1},
    work_{context_.get_executor()} {
  // nop
}

io_loop::~io_loop() {
  // nop
}

void io_loop::start() {
  thread_ = std::thread{[this] { run(); }};
}

void io_loop::stop() {
  if (!thread_.joinable())
    return;
  end_pinned_actors();
  stopped_ = true;
  boost::asio::post(context_, [] {});
  thread_.join();
}

void io_loop::end_pinned_actors() {
  std::unique_lock guard{pinned_mutex_};
  std::vector<caf::strong_actor_ptr> actors;
  for (auto& [_, entry] : pinned_)
    if (auto strong = entry.weak.lock())
      actors.push_back(std::move(strong));
  guard.unlock();
  for (auto& actor : actors)
    caf::anon_send_exit(actor, caf::exit_reason::user_shutdown);
  actors.clear();
  guard.lock();
  pinned_changed_.wait(guard,
                       [this] { return pinned_.empty() && work_count_ == 0; });
}

void io_loop::adopt(const caf::strong_actor_ptr& actor) {
  std::unique_lock guard{pinned_mutex_};
  pinned_.emplace(
    actor->id(),
    pinned_entry{actor, caf::actor_cast<caf::weak_actor_ptr>(actor)});
}

void io_loop::let_go(caf::actor_id id) {
  caf::strong_actor_ptr released; // outlives the guard
  std::unique_lock guard{pinned_mutex_};
  if (auto found = pinned_.find(id); found != pinned_.end())
    released = std::move(found->second.strong);
}

void io_loop::forget(caf::actor_id id) {
  pinned_entry forgotten; // outlives the guard
  std::unique_lock guard{pinned_mutex_};
  auto found = pinned_.find(id);
  if (found == pinned_.end())
    return;
  forgotten = std::move(found->second);
  pinned_.erase(found);
  pinned_changed_.notify_all();
}

void io_loop::begin_work() {
  std::unique_lock guard{pinned_mutex_};
  ++work_count_;
}

void io_loop::end_work() {
  std::unique_lock guard{pinned_mutex_};
  --work_count_;
  pinned_changed_.notify_all();
}

void io_loop::at_turn_end(std::function<void()> action) {
  turn_end_.push_back(std::move(action));
}

bool io_loop::runs_here() const noexcept {
  return current_loop == this;
}

void io_loop::resume_later(caf::resumable* what) {
  // An actor that runs on CAF's scheduler got a message from a pinned one.
  if (what->subtype() != caf::resumable::io_actor) {
    caf_version::schedule(*actor_system_, what);
    return;
  }
  if (runs_here()) {
    ready_.push_back(what);
    return;
  }
  auto wake = false;
  {
    std::unique_lock guard{inbox_mutex_};
    inbox_.push_back(what);
    arrived_.store(true, std::memory_order_relaxed);
    wake = std::exchange(asleep_, false);
  }
  if (wake)
    boost::asio::post(context_, [] {});
}

void io_loop::run() {
  current_loop = this;
  block_sigpipe();
  const spare_memory::trimmer trims;
  while (!stopped_) {
    take_inbox();
    run_ready();
    run_turn_end();
    if (ready_.empty() && !spin() && may_sleep())
      sleep();
    else
      poll();
    spare_memory::time_left(); // a loop that is never idle trims, too
  }
  run_rest();
  current_loop = nullptr;
}

/// Runs the handlers that are queued. They only learn that they were cancelled,
/// but until then they keep their actors, and these keep the loop.
void io_loop::run_rest() {
  auto is_done = false;
  boost::asio::post(context_, [&is_done] { is_done = true; });
  while (!is_done)
    context_.poll_one();
}

void io_loop::take_inbox() {
  {
    std::unique_lock guard{inbox_mutex_};
    asleep_ = false;
    arrived_ = false;
    arrivals_.swap(inbox_);
  }
  ready_.insert(ready_.end(), arrivals_.begin(), arrivals_.end());
  arrivals_.clear();
}

void io_loop::run_ready() {
  for (auto i = 0; i < resumes_per_turn && !ready_.empty(); ++i) {
    auto* what = ready_.front();
    ready_.pop_front();
    switch (what->resume(this, messages_per_resume)) {
      case caf::resumable::resume_later:
        ready_.push_back(what);
        break;
      default:
        release(what);
    }
  }
}

void io_loop::run_turn_end() {
  // By index: an action may add one.
  for (std::size_t i = 0; i < turn_end_.size(); ++i)
    turn_end_[i]();
  turn_end_.clear();
}

void io_loop::poll() {
  auto handlers = 0;
  while (context_.poll_one() > 0 && ++handlers < handlers_per_turn
         && ready_.empty() && !has_arrivals()) {
    // what a handler has sent is for actors that are ready now, or have just
    // been made so by another thread
  }
}

bool io_loop::spin() {
  if (spins_to_skip_ > 0) {
    --spins_to_skip_;
    return false;
  }
  const auto end = std::chrono::steady_clock::now() + spin_time;
  do {
    if (has_arrivals() || context_.poll_one() > 0) {
      spins_skipped_ = 0;
      return true;
    }
    ::sched_yield(); // the server may be waiting for this very core
  } while (std::chrono::steady_clock::now() < end);
  spins_skipped_ = std::min(2 * spins_skipped_ + 1, spins_skipped_max);
  spins_to_skip_ = spins_skipped_;
  return false;
}

void io_loop::sleep() {
  if (const auto time = spare_memory::time_left())
    context_.run_one_for(*time);
  else
    context_.run_one();
}

bool io_loop::may_sleep() {
  if (!ready_.empty())
    return false;
  std::unique_lock guard{inbox_mutex_};
  asleep_ = inbox_.empty();
  return asleep_;
}

} // namespace caf_mcp
