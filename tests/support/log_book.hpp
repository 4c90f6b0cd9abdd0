#pragma once

#include "caf_mcp/actors/interfaces.hpp"

#include <caf/actor_system.hpp>

#include <memory>
#include <string>
#include <vector>

namespace tests {

/// A log actor that keeps what it is told.
class log_book {
public:
  explicit log_book(caf::actor_system& system);
  ~log_book();

  log_book(const log_book&) = delete;
  log_book& operator=(const log_book&) = delete;

  const caf_mcp::log_listener& listener() const noexcept {
    return listener_;
  }

  /// Waits until there are that many, and returns all remarks; fewer if they do
  /// not come.
  std::vector<std::string> remarks(std::size_t count) const;

  /// The same for lines of stdout that are no messages.
  std::vector<std::string> junk(std::size_t count) const;

private:
  struct record;

  std::shared_ptr<record> record_;
  caf_mcp::log_listener listener_;
};

} // namespace tests
