#include "caf_mcp/actors/port/find_executable.hpp"

#include <algorithm>
#include <cerrno>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace caf_mcp {

namespace {

/// Returns 0 if `path` is a file that may be executed, else an errno.
int check_executable(const std::string& path) {
  struct stat info;
  if (::stat(path.c_str(), &info) != 0)
    return errno;
  if (S_ISDIR(info.st_mode))
    return EISDIR;
  return ::access(path.c_str(), X_OK) == 0 ? 0 : errno;
}

bool means_absent(int failure) {
  return failure == ENOENT || failure == ENOTDIR;
}

close_reason refuse(const std::string& path, int failure) {
  close_reason result;
  result.cause = means_absent(failure) ? close_cause::command_not_found
                                       : close_cause::spawn_failed;
  result.detail = path + ": " + std::generic_category().message(failure);
  if (failure == EACCES)
    result.detail += " (not executable)";
  return result;
}

} // namespace

std::variant<std::string, close_reason>
find_executable(const std::string& command, const std::string& search_path,
                const shown_search& shown) {
  if (command.find('/') != std::string::npos) {
    if (auto failure = check_executable(command); failure != 0)
      return refuse(shown.command, failure);
    return command;
  }
  const auto is_path_shown = shown.search_path == search_path;
  // What to blame if no directory has it: a file that may not be executed is
  // more telling than its absence elsewhere.
  std::string refused_path;
  auto refused_for = 0;
  for (auto rest = std::string_view{search_path}; !rest.empty();) {
    auto directory = rest.substr(0, rest.find(':'));
    rest.remove_prefix(std::min(directory.size() + 1, rest.size()));
    if (!directory.starts_with('/'))
      continue;
    auto path = std::string{directory} + '/' + command;
    auto failure = check_executable(path);
    if (failure == 0)
      return path;
    if (failure == EACCES) {
      refused_path = is_path_shown
                       ? std::string{directory} + '/' + shown.command
                       : shown.command + " in PATH";
      refused_for = failure;
    }
  }
  if (refused_for != 0)
    return refuse(refused_path, refused_for);
  close_reason result;
  result.cause = close_cause::command_not_found;
  result.detail = "no executable \"" + shown.command + "\" in PATH ("
                  + shown.search_path + ")";
  return result;
}

std::variant<std::string, close_reason>
find_executable(const std::string& command, std::string_view search_path) {
  const std::string path{search_path};
  return find_executable(command, path, {command, path});
}

} // namespace caf_mcp
