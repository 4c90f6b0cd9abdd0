#include "message_sizes.hpp"

#include <array>
#include <cerrno>
#include <fcntl.h>
#include <stdexcept>
#include <string>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

namespace bench {

namespace {

struct message_size {
  std::size_t bytes;
  std::string name;
};

const message_size sizes[]
  = {{100, "100 B"},         {kib, "1 KiB"},     {64 * kib, "64 KiB"},
     {512 * kib, "512 KiB"}, {mib, "1 MiB"},     {2 * mib, "2 MiB"},
     {4 * mib, "4 MiB"},     {8 * mib, "8 MiB"}, {16 * mib, "16 MiB"},
     {64 * mib, "64 MiB"}};

/// Of less, pages and caches are all there is to see.
constexpr auto hold_min = mib;

/// Runs `measure` in a process of its own, for a heap keeps what it once had.
std::size_t
in_other_process(const std::function<std::size_t(std::size_t)>& measure,
                 std::size_t bytes) {
  std::array<int, 2> report{};
  if (::pipe2(report.data(), O_CLOEXEC) != 0)
    throw std::system_error{errno, std::generic_category(), "pipe2"};
  const auto child = ::fork();
  if (child == 0) {
    const auto found = measure(bytes);
    ::_exit(::write(report[1], &found, sizeof(found)) == sizeof(found) ? 0 : 1);
  }
  ::close(report[1]);
  std::size_t found = 0;
  const auto count = ::read(report[0], &found, sizeof(found));
  ::close(report[0]);
  ::waitpid(child, nullptr, 0);
  if (count != sizeof(found))
    throw std::runtime_error{"the process that measures memory failed"};
  return found;
}

} // namespace

std::vector<table_row> measure_each_size(
  const std::function<std::vector<spread>(std::size_t)>& measure,
  const std::function<std::size_t(std::size_t)>& hold) {
  std::vector<table_row> result;
  std::vector<spread> held;
  for (const auto& each : sizes)
    held.push_back(
      each.bytes < hold_min
        ? not_measured
        : spread_of({static_cast<double>(in_other_process(hold, each.bytes))
                     / static_cast<double>(each.bytes)}));
  for (const auto& each : sizes) {
    auto& row = result.emplace_back(table_row{each.name, measure(each.bytes)});
    row.cells.push_back(held[result.size() - 1]);
  }
  return result;
}

} // namespace bench
