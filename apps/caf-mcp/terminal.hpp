#pragma once

#include "diagnostics.hpp"

#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>

namespace caf_mcp::tool {

/// The person in front of the tool: is asked on stderr and answers on stdin.
/// One dialog at a time. Blocks; not for actors of the scheduler.
class terminal {
public:
  explicit terminal(std::shared_ptr<diagnostics> console)
    : console_{std::move(console)} {
    // nop
  }

  /// Returns whether there is a person: stdin and stderr are a terminal.
  static bool is_there() noexcept;

  /// Waits for other dialogs to end, and keeps others waiting.
  std::unique_lock<std::mutex> begin_dialog() {
    return std::unique_lock{mutex_};
  }

  /// Prints a line.
  void tell(std::string_view text);

  /// Prints `question` and waits for a line. Returns it without white space
  /// around it; nothing at the end of the input or if a stop is requested.
  std::optional<std::string> ask(std::string_view question,
                                 const std::stop_token& stop);

private:
  std::optional<std::string> read_line(const std::stop_token& stop);

  std::shared_ptr<diagnostics> console_;
  std::mutex mutex_;
  /// What was read beyond the last line.
  std::string read_ahead_;
};

} // namespace caf_mcp::tool
