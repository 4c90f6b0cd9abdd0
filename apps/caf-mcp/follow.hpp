#pragma once

#include "caf_mcp/messages/json/payload.hpp"
#include "caf_mcp/messages/subscriptions.hpp"

#include "text_output.hpp"

#include <caf/error.hpp>
#include <caf/expected.hpp>

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace CLI {

class App;

} // namespace CLI

namespace caf_mcp::tool {

class client;

/// When to stop following what the server reports. Without limits: with the
/// server, or at an interrupt.
class follow_limits {
public:
  /// Declares `--count` and `--for`.
  void declare(CLI::App& app);

  /// Reads them.
  caf::error check();

  const std::optional<std::uint64_t>& count() const noexcept {
    return count_;
  }

  std::chrono::steady_clock::time_point end() const;

private:
  std::string count_text_;
  std::string time_text_;
  std::optional<std::uint64_t> count_;
  std::optional<std::uint64_t> time_ms_;
};

/// Prints one report of the server.
using event_printer
  = std::function<void(const server_event& event, text_output& out)>;

/// Prints what is said of the subscription itself.
using notice_printer
  = std::function<void(const boost::json::object& notice, text_output& out)>;

/// Subscribes to `filter`, and prints each event at once, until a limit is
/// reached, the reader of stdout is gone, or the subscription ends.
caf::expected<payload> follow(client& server, const listen_filter& filter,
                              const follow_limits& limits,
                              const event_printer& print_event,
                              const notice_printer& print_notice);

} // namespace caf_mcp::tool
