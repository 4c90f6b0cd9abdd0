#pragma once

#include "caf_mcp/messages/json_rpc.hpp"

#include <cstdint>
#include <utility>
#include <vector>

namespace caf_mcp {

/// What is written to the server, in its order, until it is handed to the port
/// owner.
class outbox {
public:
  /// Adds a message after all those before it. Returns its place among the
  /// messages for the current process, from 1 on.
  template <class Message>
  std::uint64_t write(Message message) {
    messages_.emplace_back(std::move(message));
    return ++written_;
  }

  /// Takes out what has not been handed over.
  std::vector<outgoing_message> take() {
    std::vector<outgoing_message> result;
    result.reserve(messages_.size()); // as many as last time
    result.swap(messages_);
    return result;
  }

  /// Another process follows.
  void reset() noexcept {
    messages_.clear();
    written_ = 0;
  }

  bool empty() const noexcept {
    return messages_.empty();
  }

  /// Returns how many messages were written for the current process.
  std::uint64_t written() const noexcept {
    return written_;
  }

private:
  std::vector<outgoing_message> messages_;
  std::uint64_t written_ = 0;
};

} // namespace caf_mcp
