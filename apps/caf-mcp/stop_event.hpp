#pragma once

#include "caf_mcp/actors/port/unique_fd.hpp"

#include <cstdint>
#include <functional>
#include <stop_token>
#include <sys/eventfd.h>
#include <unistd.h>

namespace caf_mcp::tool {

/// Makes a stop visible to poll(2).
class stop_event {
public:
  explicit stop_event(const std::stop_token& stop)
    : fd_{::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)}, callback_{stop, [this] {
                                                                 raise();
                                                               }} {
    // nop
  }

  /// Returns a descriptor that is readable once a stop is requested.
  int fd() const noexcept {
    return fd_.get();
  }

private:
  void raise() noexcept {
    const std::uint64_t one = 1;
    [[maybe_unused]] auto written = ::write(fd_.get(), &one, sizeof one);
  }

  unique_fd fd_;
  std::stop_callback<std::function<void()>> callback_;
};

} // namespace caf_mcp::tool
