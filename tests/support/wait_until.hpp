#pragma once

#include <chrono>
#include <thread>

namespace tests {

/// Looks at `predicate` until it holds; returns whether it did within `limit`.
/// For what no event tells, such as the state of a foreign process.
template <class Predicate>
bool wait_until(Predicate predicate,
                std::chrono::milliseconds limit = std::chrono::seconds{20}) {
  const auto end = std::chrono::steady_clock::now() + limit;
  while (!predicate()) {
    if (std::chrono::steady_clock::now() > end)
      return false;
    std::this_thread::sleep_for(std::chrono::milliseconds{2});
  }
  return true;
}

} // namespace tests
