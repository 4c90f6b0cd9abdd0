#pragma once

#include "caf_mcp/messages/json/payload.hpp"
#include "caf_mcp/messages/subscriptions.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <list>
#include <string>
#include <string_view>
#include <unordered_map>

namespace caf_mcp {

/// Results of list and read requests that the server allows to keep for a while
/// (MCP 2026-07-28, Caching: `ttlMs`). One cache stands for one connection,
/// whose process is one authorization context, so `cacheScope` makes no
/// difference: nothing is shared with another. Bounded; the oldest makes room.
class response_cache {
public:
  using clock = std::chrono::steady_clock;

  /// `results_max` 0 turns the cache off.
  explicit response_cache(std::size_t results_max) : results_max_{results_max} {
    // nop
  }

  /// Returns the result that is still fresh; absent if there is none.
  payload find(std::string_view method, const payload& params,
               clock::time_point now);

  /// Keeps a result that has just arrived, if it may be kept. A request with a
  /// `_meta` of its own is left alone, and so is one with a user's answers.
  void add(std::string_view method, const payload& params,
           const payload& result, clock::time_point now);

  /// Returns whether results of such a request may be kept at all.
  bool can_keep(std::string_view method, const payload& params) const;

  /// Drops what the event makes stale.
  void on_event(const server_event& event);

  /// Returns how often something changed: a result that was asked for before
  /// the last change may be of before it.
  std::uint64_t changes() const noexcept {
    return changes_;
  }

  /// The server is gone.
  void clear() noexcept;

  std::size_t size() const noexcept {
    return entries_.size();
  }

private:
  struct entry {
    std::string key;
    std::string method;
    std::string uri;
    payload result;
    clock::time_point fresh_until;
  };

  using entry_list = std::list<entry>;

  void erase(entry_list::iterator which);

  std::size_t results_max_;
  std::uint64_t changes_ = 0;
  /// Oldest first.
  entry_list entries_;
  std::unordered_map<std::string, entry_list::iterator> by_key_;
};

} // namespace caf_mcp
