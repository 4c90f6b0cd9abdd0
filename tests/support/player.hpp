#pragma once

#include "tests/support/host.hpp"
#include "tests/support/scratch_directory.hpp"

#include <boost/json/object.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tests {

/// Returns the command of a server that plays a script of `tests/cases`.
std::vector<std::string> script_command(std::string_view name);

/// Plays a script of `tests/cases` as a server, and reads what the player
/// logged of the client.
class player {
public:
  /// `name` is that of the script, e.g. `never-answers`.
  explicit player(std::string_view name);

  /// Returns options that start the player; change them before use.
  caf_mcp::server_options options() const;

  /// Returns all events logged so far, oldest first.
  std::vector<boost::json::object> log() const;

  /// Returns how many events of this kind were logged.
  std::size_t count(std::string_view event) const;

  /// Returns whether the script reached `mark`.
  bool marked(std::string_view mark) const;

  /// Returns whether all checks of the script that were made hold, and at least
  /// one was made.
  bool checks_hold() const;

  /// Returns how often the client sent `method`.
  std::size_t received(std::string_view method) const;

  /// Returns the process that the script spawned last, or 0.
  std::int64_t spawned_pid() const;

private:
  std::string name_;
  tests::scratch_directory directory_;
};

/// Calls the tool `t`, as most scripts expect.
caf::expected<caf_mcp::payload> call_t(host& app,
                                       const caf_mcp::connection& server,
                                       caf_mcp::request_options options = {},
                                       boost::json::object arguments = {});

} // namespace tests
