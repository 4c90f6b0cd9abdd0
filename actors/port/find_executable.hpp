#pragma once

#include "caf_mcp/messages/close_reason.hpp"

#include <string>
#include <string_view>
#include <variant>

namespace caf_mcp {

/// What errors show in place of what is looked for, and where.
struct shown_search {
  std::string command;
  std::string search_path;
};

/// Finds the file that `command` means: an absolute path as it is, a bare name
/// in the directories of `search_path` (the `PATH` the server will get),
/// skipping directories and files that may not be executed. Entries of the path
/// that are empty or relative are skipped too: what they mean depends on the
/// working directory, which is not the server's. Returns the path, or why there
/// is none: `command_not_found` or `spawn_failed`.
std::variant<std::string, close_reason>
find_executable(const std::string& command, const std::string& search_path,
                const shown_search& shown);

/// The same; errors show what was given.
std::variant<std::string, close_reason>
find_executable(const std::string& command, std::string_view search_path);

} // namespace caf_mcp
