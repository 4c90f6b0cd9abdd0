#include "caf_mcp/actors/port/process_group.hpp"

#include "caf_mcp/actors/port/unique_fd.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <dirent.h>
#include <fcntl.h>
#include <memory>
#include <optional>
#include <string_view>
#include <unistd.h>

namespace caf_mcp {

namespace {

using kind = group_members::kind;

enum class liveness : std::uint8_t { runs, has_ended, unknown };

/// Returns the `n`th of the fields behind the name in `/proc/PID/stat`; that
/// is the second field, in parentheses, and may hold anything.
std::string_view field_after_name(std::string_view line, int n) {
  const auto name_end = line.rfind(')');
  if (name_end == std::string_view::npos)
    return {};
  auto rest = line.substr(name_end + 1);
  for (auto i = 0;; ++i) {
    const auto start = rest.find_first_not_of(' ');
    if (start == std::string_view::npos)
      return {};
    rest.remove_prefix(start);
    const auto field = rest.substr(0, rest.find(' '));
    if (i == n)
      return field;
    rest.remove_prefix(field.size());
  }
}

constexpr int state_field = 0;
constexpr int threads_field = 17;

liveness classify(std::string_view stat) {
  const auto state = field_after_name(stat, state_field);
  if (state != "Z" && state != "X")
    return state.empty() ? liveness::unknown : liveness::runs;
  // The state is that of the first thread; others may run on.
  const auto text = field_after_name(stat, threads_field);
  auto threads = 0;
  std::from_chars(text.data(), text.data() + text.size(), threads);
  return threads > 1 ? liveness::runs : liveness::has_ended;
}

liveness read_liveness(int proc, const char* pid) {
  const auto path = std::string{pid} + "/stat";
  unique_fd file{::openat(proc, path.c_str(), O_RDONLY | O_CLOEXEC)};
  if (!file)
    return errno == ENOENT ? liveness::has_ended : liveness::unknown;
  std::array<char, 1024> text{};
  const auto count = ::read(file.get(), text.data(), text.size());
  if (count < 0)
    return errno == ESRCH ? liveness::has_ended : liveness::unknown;
  return classify({text.data(), static_cast<std::size_t>(count)});
}

struct close_directory {
  void operator()(DIR* directory) const noexcept {
    ::closedir(directory);
  }
};

using directory = std::unique_ptr<DIR, close_directory>;

/// Returns whether the directory is the /proc of this process's pids: it may be
/// empty, or that of another namespace.
bool is_our_proc(int proc) {
  std::array<char, 32> text{};
  const auto count = ::readlinkat(proc, "self", text.data(), text.size());
  return count > 0
         && std::string_view{text.data(), static_cast<std::size_t>(count)}
              == std::to_string(::getpid());
}

/// One pass over /proc for some groups.
class scan {
public:
  scan(const std::vector<pid_t>& pgids, std::vector<group_members>& out)
    : pgids_{&pgids}, out_{&out} {
    // nop
  }

  /// Looks for members of the groups that are not known to have some.
  void run(const std::string& path) {
    directory proc{::opendir(path.c_str())};
    const auto is_readable = proc && is_our_proc(::dirfd(proc.get()));
    for (auto& group : *out_)
      if (group.state != kind::some)
        group.state = is_readable ? kind::none : kind::unknown;
    if (!is_readable)
      return;
    while (const auto* entry = ::readdir(proc.get()))
      if (const pid_t pid = std::atoi(entry->d_name); pid > 0)
        look_at(::dirfd(proc.get()), pid, entry->d_name);
  }

private:
  void look_at(int proc, pid_t pid, const char* name) {
    // Cheaper by far than to read the group from a file.
    const auto pgid = ::getpgid(pid);
    if (pgid == pid)
      return;
    const auto found = std::find(pgids_->begin(), pgids_->end(), pgid);
    if (found == pgids_->end())
      return;
    auto& group = (*out_)[static_cast<std::size_t>(found - pgids_->begin())];
    if (group.state == kind::some)
      return;
    switch (read_liveness(proc, name)) {
      case liveness::runs:
        group = {kind::some, pid};
        break;
      case liveness::unknown:
        group.state = kind::unknown;
        break;
      case liveness::has_ended:
        break;
    }
  }

  const std::vector<pid_t>* pgids_;
  std::vector<group_members>* out_;
};

bool needs_second_look(const group_members& group) {
  return group.state == kind::none;
}

} // namespace

std::vector<group_members> scan_groups(const std::vector<pid_t>& pgids,
                                       const std::string& proc) {
  std::vector<group_members> result(pgids.size());
  scan all{pgids, result};
  all.run(proc);
  if (std::any_of(result.begin(), result.end(), needs_second_look))
    all.run(proc);
  return result;
}

bool is_vacant(pid_t pgid) {
  return ::kill(-pgid, 0) != 0 && errno == ESRCH;
}

} // namespace caf_mcp
