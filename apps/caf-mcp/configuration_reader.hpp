#pragma once

#include "caf_mcp/messages/server_entry.hpp"

#include <caf/expected.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace caf_mcp::tool {

/// What a configuration says when it is read anew.
struct configuration {
  caf::expected<std::vector<server_entry>> servers;
  std::vector<std::string> warnings;
};

/// Reads a configuration in a thread of its own, for a file may let its reader
/// wait for ever, as a pipe does. What is still being read at the end of this
/// is forgotten. One thread at a time.
class configuration_reader {
public:
  /// `read` is what may block. `on_read` is called, in any thread, when `take`
  /// has something to return.
  configuration_reader(std::function<configuration()> read,
                       std::function<void()> on_read);

  configuration_reader(const configuration_reader&) = delete;
  configuration_reader& operator=(const configuration_reader&) = delete;

  ~configuration_reader();

  /// Begins to read; once more after what is being read already.
  void start();

  /// Returns what was read, once.
  std::optional<configuration> take();

  /// Returns whether a thread of this process still reads, for whomever.
  static bool is_any_reading() noexcept;

private:
  struct shared_state;

  static void run(std::shared_ptr<shared_state> state);

  std::shared_ptr<shared_state> state_;
};

} // namespace caf_mcp::tool
