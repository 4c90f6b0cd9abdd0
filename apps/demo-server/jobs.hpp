// Things to do later, on the one thread of the server.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace demo {

/// A queue of jobs ordered by when they are due. Each belongs to a request, so
/// that cancelling the request drops it.
class job_queue {
public:
  using clock = std::chrono::steady_clock;

  /// Runs `job` at `due` for the request whose id is `owner`, as JSON text.
  void at(clock::time_point due, std::string owner, std::function<void()> job);

  /// Drops all jobs of a request.
  /// @returns whether there were any.
  bool cancel(std::string_view owner);

  /// Runs what is due by now. Jobs may add jobs; these wait for the next call.
  void run_due();

  /// Returns how long until the next job is due, or nothing without jobs.
  std::optional<std::chrono::milliseconds> time_left() const;

private:
  struct entry {
    std::string owner;
    std::function<void()> job;
  };

  std::multimap<clock::time_point, entry> entries_;
};

} // namespace demo
