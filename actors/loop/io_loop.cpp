#include "caf_mcp/actors/loop/io_loop.hpp"

#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <caf/actor_cast.hpp>
#include <caf/actor_system.hpp>
#include <caf/exit_reason.hpp>
#include <caf/local_actor.hpp>
#include <caf/mailbox_element.hpp>
#include <caf/message.hpp>
#include <caf/send.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <iostream>
#include <optional>
#include <sched.h>
#include <string>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <system_error>
#include <unistd.h>
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

/// How long actors may go on in a turn, and handlers, and actions. What is
/// under way is not interrupted.
constexpr auto share_time_max = std::chrono::microseconds{500};

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

/// What a turn gives to one kind of work. The time counts from the first
/// question, which costs nothing where there is but one thing to do.
class share {
public:
  bool is_used_up() {
    const auto now = std::chrono::steady_clock::now();
    if (!end_)
      end_ = now + share_time_max;
    return now >= *end_;
  }

private:
  std::optional<std::chrono::steady_clock::time_point> end_;
};

void block_sigpipe() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
}

/// Opens what Asio watches descriptors with while a failure can be told.
/// Without room for two descriptors of its own (epoll_ctl(2), ENOSPC) it would
/// be silent, and then miss timers and what other threads send for ever.
void open_reactor(boost::asio::io_context& context) {
  auto error = 0;
  auto note = [&error](int result) {
    if (result < 0 && error == 0)
      error = errno;
    return result;
  };
  const std::array<int, 3> fds{note(::epoll_create1(EPOLL_CLOEXEC)),
                               note(::eventfd(0, EFD_CLOEXEC)),
                               note(::eventfd(0, EFD_CLOEXEC))};
  for (auto watched : {fds[1], fds[2]}) {
    epoll_event wanted{};
    if (error == 0)
      note(::epoll_ctl(fds[0], EPOLL_CTL_ADD, watched, &wanted));
  }
  for (auto fd : fds)
    if (fd >= 0)
      ::close(fd);
  if (error != 0)
    throw std::system_error{error, std::generic_category(),
                            "caf_mcp: a loop cannot watch descriptors"};
  boost::asio::steady_timer{context};
}

void release(caf::resumable* what) {
  intrusive_ptr_release(what);
}

} // namespace

io_loop::io_loop(caf::actor_system& system, std::chrono::milliseconds patience)
  : execution_unit{system},
    actor_system_{&system},
    patience_{patience},
    context_{1},
    work_{context_.get_executor()} {
  open_reactor(context_);
}

io_loop::~io_loop() {
  // nop
}

void io_loop::start() {
  thread_ = std::thread{[this] { run(); }};
}

void io_loop::begin_stop() {
  std::vector<caf::strong_actor_ptr> actors; // outlive the guard
  {
    std::unique_lock guard{pinned_mutex_};
    if (std::exchange(is_stopping_, true))
      return;
    ending_ = true;
    for (auto& [_, entry] : pinned_)
      if (auto strong = entry.weak.lock())
        actors.push_back(std::move(strong));
  }
  for (auto& actor : actors)
    caf::anon_send_exit(actor, caf::exit_reason::user_shutdown);
}

void io_loop::stop() {
  if (!thread_.joinable())
    return;
  begin_stop();
  await_pinned_actors();
  stopped_ = true;
  boost::asio::post(context_, [] {});
  thread_.join();
}

void io_loop::await_pinned_actors() {
  std::unique_lock guard{pinned_mutex_};
  while (!pinned_.empty() || work_count_ > 0) {
    const auto ends_before = ends_;
    const auto turns_before = turns_.load();
    boost::asio::post(context_, [] {}); // a turn, unless the loop hangs
    if (!pinned_changed_.wait_for(guard, patience_,
                                  [&] { return ends_ != ends_before; }))
      check_progress(turns_before);
  }
}

/// Nothing has ended for a while. That is right while processes are waited for,
/// each with a limit of its own.
void io_loop::check_progress(std::uint64_t turns_before) const {
  const auto hangs = turns_.load() == turns_before;
  if (!hangs && work_count_ > 0)
    return;
  std::string who;
  for (const auto& [_, entry] : pinned_)
    if (auto strong = entry.weak.lock())
      who += std::string{" "}
             + static_cast<const caf::local_actor*>(strong->get())->name();
  std::cerr << "caf_mcp: a loop cannot stop: "
            << (hangs ? "it hangs in a handler" : "actors do not end")
            << "; still there:" << who << std::endl;
  std::abort();
}

bool io_loop::adopt(const caf::strong_actor_ptr& actor) {
  std::unique_lock guard{pinned_mutex_};
  // `stop` waits for what the actors that it waits for spawn, but not for what
  // others do: somebody who goes on and on would keep it.
  if (!is_stopping_ || runs_here())
    pinned_.emplace(
      actor->id(),
      pinned_entry{actor, caf::actor_cast<caf::weak_actor_ptr>(actor)});
  return !is_stopping_;
}

void io_loop::unpin(caf::actor_id id) {
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
  ++ends_;
  pinned_changed_.notify_all();
}

void io_loop::begin_work() {
  std::unique_lock guard{pinned_mutex_};
  ++work_count_;
}

void io_loop::end_work() {
  std::unique_lock guard{pinned_mutex_};
  --work_count_;
  ++ends_;
  pinned_changed_.notify_all();
}

void io_loop::at_turn_end(std::function<void()> action,
                          caf::strong_actor_ptr owner) {
  turn_end_.push_back({std::move(owner), std::move(action)});
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
    if (has_ended_) {
      guard.unlock();
      caf_version::schedule(*actor_system_, what);
      return;
    }
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
  while (!stopped_) {
    take_inbox();
    run_ready();
    run_turn_end();
    if (!has_work() && !spin() && may_sleep())
      context_.run_one();
    else
      poll();
    turns_.store(turns_.load(std::memory_order_relaxed) + 1,
                 std::memory_order_relaxed);
  }
  run_rest();
  hand_over_rest();
  current_loop = nullptr;
}

/// Runs the actions and handlers that are queued. Handlers only learn that they
/// were cancelled, but until then they keep their actors, and these keep the
/// loop.
void io_loop::run_rest() {
  while (!turn_end_.empty())
    run_turn_end();
  auto is_done = false;
  boost::asio::post(context_, [&is_done] { is_done = true; });
  while (!is_done)
    context_.poll_one();
}

/// What was spawned while the loop stopped has been told to end. It does so on
/// CAF's scheduler, and answers those who ask it.
void io_loop::hand_over_rest() {
  take_inbox();
  {
    std::unique_lock guard{inbox_mutex_};
    has_ended_ = true;
    ready_.insert(ready_.end(), inbox_.begin(), inbox_.end());
    inbox_.clear();
  }
  for (auto* what : std::exchange(ready_, {}))
    caf_version::schedule(*actor_system_, what);
}

bool io_loop::has_work() const noexcept {
  return !ready_.empty() || !turn_end_.empty();
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
  share time;
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
    if (!ready_.empty() && time.is_used_up())
      break;
  }
}

/// Runs what was there at the start: an action that an action adds is for the
/// next turn.
void io_loop::run_turn_end() {
  share time;
  for (auto left = turn_end_.size(); left > 0; --left) {
    const auto action = std::move(turn_end_.front());
    turn_end_.pop_front();
    action.run();
    if (left > 1 && time.is_used_up())
      break;
  }
}

/// Runs handlers until one of them, or another thread, has made an actor ready.
/// Actors that were ready before have had their share.
void io_loop::poll() {
  share time;
  const auto ready_before = ready_.size();
  auto handlers = 0;
  while (context_.poll_one() > 0 && ++handlers < handlers_per_turn
         && ready_.size() == ready_before && !has_arrivals()
         && !time.is_used_up()) {
    // what a handler has sent is for actors that are ready now
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

bool io_loop::may_sleep() {
  if (!ready_.empty())
    return false;
  std::unique_lock guard{inbox_mutex_};
  asleep_ = inbox_.empty();
  return asleep_;
}

} // namespace caf_mcp
