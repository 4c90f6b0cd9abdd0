#include "jobs.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace demo {

void job_queue::at(clock::time_point due, std::string owner,
                   std::function<void()> job) {
  entries_.emplace(due, entry{std::move(owner), std::move(job)});
}

bool job_queue::cancel(std::string_view owner) {
  return std::erase_if(
           entries_,
           [owner](const auto& item) { return item.second.owner == owner; })
         > 0;
}

void job_queue::run_due() {
  const auto end = entries_.upper_bound(clock::now());
  std::vector<std::function<void()>> due;
  for (auto i = entries_.begin(); i != end; ++i)
    due.push_back(std::move(i->second.job));
  entries_.erase(entries_.begin(), end);
  for (const auto& job : due)
    job();
}

std::optional<std::chrono::milliseconds> job_queue::time_left() const {
  using std::chrono::milliseconds;
  if (entries_.empty())
    return std::nullopt;
  const auto left = entries_.begin()->first - clock::now();
  // Rounded up: waking too early would only mean waiting again.
  return std::max(milliseconds{0}, std::chrono::ceil<milliseconds>(left));
}

} // namespace demo
