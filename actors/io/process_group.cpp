#include "caf_mcp/actors/io/process_group.hpp"

#include "caf_mcp/actors/io/unique_fd.hpp"

#include <array>
#include <charconv>
#include <cstdlib>
#include <dirent.h>
#include <fcntl.h>
#include <memory>
#include <string_view>
#include <unistd.h>

namespace caf_mcp {

namespace {

struct process_state {
  char state = '?';
  pid_t group = -1;
};

/// Reads the state and the group from `/proc/PID/stat`, whose second field, the
/// name in parentheses, may hold anything.
std::optional<process_state> read_state(int proc, const char* pid) {
  std::array<char, 64> path{};
  std::string_view name{pid};
  if (name.size() + sizeof("/stat") > path.size())
    return std::nullopt;
  auto end = name.copy(path.data(), name.size());
  std::string_view{"/stat"}.copy(path.data() + end, 5);
  unique_fd file{::openat(proc, path.data(), O_RDONLY | O_CLOEXEC)};
  std::array<char, 512> text{};
  auto count = file ? ::read(file.get(), text.data(), text.size()) : -1;
  if (count <= 0)
    return std::nullopt;
  std::string_view line{text.data(), static_cast<std::size_t>(count)};
  auto name_end = line.rfind(')');
  if (name_end == std::string_view::npos || name_end + 4 > line.size())
    return std::nullopt;
  process_state result;
  result.state = line[name_end + 2];
  auto parent = line.substr(name_end + 4);
  auto space = parent.find(' ');
  if (space == std::string_view::npos)
    return std::nullopt;
  auto group = parent.substr(space + 1);
  std::from_chars(group.data(), group.data() + group.size(), result.group);
  return result;
}

bool runs(char state) {
  return state != 'Z' && state != 'X';
}

struct close_directory {
  void operator()(DIR* directory) const noexcept {
    ::closedir(directory);
  }
};

std::optional<pid_t> scan_for_member(pid_t pgid) {
  std::unique_ptr<DIR, close_directory> proc{::opendir("/proc")};
  if (!proc)
    return std::nullopt;
  while (const auto* entry = ::readdir(proc.get())) {
    pid_t pid = std::atoi(entry->d_name);
    if (pid <= 0 || pid == pgid)
      continue;
    auto state = read_state(::dirfd(proc.get()), entry->d_name);
    if (state && state->group == pgid && runs(state->state))
      return pid;
  }
  return std::nullopt;
}

} // namespace

std::optional<pid_t> find_group_member(pid_t pgid) {
  // Twice, for a scan is no snapshot: a process may fork behind its back and
  // end before its turn.
  if (auto member = scan_for_member(pgid))
    return member;
  return scan_for_member(pgid);
}

} // namespace caf_mcp
