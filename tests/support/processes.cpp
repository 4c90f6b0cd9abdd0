#include "tests/support/processes.hpp"

#include <filesystem>
#include <fstream>
#include <optional>
#include <signal.h>
#include <sstream>
#include <string>
#include <unistd.h>

namespace tests {

namespace {

struct process_stat {
  char state = '?';
  std::int64_t parent = 0;
  std::int64_t group = 0;
};

std::optional<process_stat> read_stat(const std::filesystem::path& directory) {
  std::ifstream file{directory / "stat"};
  std::string line;
  if (!std::getline(file, line))
    return std::nullopt;
  std::istringstream fields{line.substr(line.rfind(')') + 1)};
  process_stat result;
  fields >> result.state >> result.parent >> result.group;
  return result;
}

template <class Visit>
void for_each_process(Visit visit) {
  for (const auto& entry : std::filesystem::directory_iterator{"/proc"}) {
    auto name = entry.path().filename().string();
    if (name.find_first_not_of("0123456789") != std::string::npos)
      continue;
    if (auto stat = read_stat(entry.path()))
      visit(std::stoll(name), *stat);
  }
}

} // namespace

bool exists(std::int64_t pid) {
  return ::kill(static_cast<pid_t>(pid), 0) == 0;
}

bool group_runs(std::int64_t pgid) {
  auto found = false;
  for_each_process([&](std::int64_t, const process_stat& stat) {
    found = found || (stat.group == pgid && stat.state != 'Z');
  });
  return found;
}

std::vector<std::int64_t> children() {
  std::vector<std::int64_t> result;
  for_each_process([&](std::int64_t pid, const process_stat& stat) {
    if (stat.parent == ::getpid())
      result.push_back(pid);
  });
  return result;
}

std::size_t open_descriptors() {
  std::size_t count = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator{"/proc/self/fd"}) {
    static_cast<void>(entry);
    ++count;
  }
  return count;
}

} // namespace tests
