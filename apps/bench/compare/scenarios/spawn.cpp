#include "spawn.hpp"

#include "caf_mcp/actors/port/child_process.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fcntl.h>
#include <fstream>
#include <limits>
#include <stdexcept>
#include <sys/mman.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

namespace bench {

namespace {

constexpr auto program = "/bin/true";

constexpr std::size_t gib = std::size_t{1024} * 1024 * 1024;
constexpr std::size_t ballast_bytes = 4 * gib;
constexpr std::size_t spawns_per_round = 30;

/// From a host with the ballast, in spawns of one without.
constexpr double ratio_max = 1.3;

[[noreturn]] void fail(const char* what) {
  throw std::system_error{errno, std::generic_category(), what};
}

/// Starts the program as the library does; until it runs.
clock::duration time_library_spawn() {
  caf_mcp::spawn_plan plan;
  plan.executable = program;
  plan.stderr_to = caf_mcp::stderr_kind::discard;
  const auto start = clock::now();
  auto spawned = caf_mcp::spawn_child(plan);
  const auto time = clock::now() - start;
  if (!std::holds_alternative<caf_mcp::child_process>(spawned))
    throw std::runtime_error{"cannot start /bin/true"};
  caf_mcp::reap(std::get<caf_mcp::child_process>(spawned).pid);
  return time;
}

/// Starts the program with fork(2), which copies the page tables; until it
/// runs.
clock::duration time_fork() {
  std::array<int, 2> report{};
  const auto start = clock::now();
  if (::pipe2(report.data(), O_CLOEXEC) != 0)
    fail("pipe2");
  const auto pid = ::fork();
  if (pid < 0)
    fail("fork");
  if (pid == 0) {
    ::execl(program, program, nullptr);
    ::_exit(127);
  }
  ::close(report[1]);
  char ignored;
  static_cast<void>(::read(report[0], &ignored, 1)); // closed by exec
  const auto time = clock::now() - start;
  ::close(report[0]);
  ::waitpid(pid, nullptr, 0);
  return time;
}

/// The median of some, in microseconds.
double median_us(clock::duration (*once)()) {
  std::vector<clock::duration> times;
  for (std::size_t i = 0; i < spawns_per_round; ++i)
    times.push_back(once());
  return to_us(quantile(std::move(times), 0.5));
}

/// Memory that was touched, in small pages.
class ballast {
public:
  explicit ballast(std::size_t bytes) : bytes_{bytes} {
    memory_ = ::mmap(nullptr, bytes_, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory_ == MAP_FAILED)
      fail("mmap");
    ::madvise(memory_, bytes_, MADV_NOHUGEPAGE);
    const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    for (std::size_t at = 0; at < bytes_; at += page)
      static_cast<char*>(memory_)[at] = 1;
  }

  ballast(const ballast&) = delete;
  ballast& operator=(const ballast&) = delete;

  ~ballast() {
    ::munmap(memory_, bytes_);
  }

private:
  std::size_t bytes_;
  void* memory_;
};

/// What can be had without swapping, in bytes.
std::size_t available_bytes() {
  std::ifstream file{"/proc/meminfo"};
  std::string name;
  std::size_t kib = 0;
  while (file >> name >> kib) {
    if (name == "MemAvailable:")
      return kib * 1024;
    file.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  }
  return 0;
}

} // namespace

table measure_spawn(const options& chosen) {
  const auto bytes = std::min(ballast_bytes, available_bytes() / 2);
  const auto size = std::to_string(bytes / gib) + '.'
                    + std::to_string(bytes % gib * 10 / gib) + " GiB";
  std::vector<double> small;
  std::vector<double> large;
  std::vector<double> ratios;
  std::vector<double> fork_small;
  std::vector<double> fork_large;
  for (std::size_t round = 0; round < chosen.rounds; ++round) {
    small.push_back(median_us(time_library_spawn));
    fork_small.push_back(median_us(time_fork));
    ballast weight{bytes};
    large.push_back(median_us(time_library_spawn));
    fork_large.push_back(median_us(time_fork));
    ratios.push_back(large.back() / small.back());
  }
  table result{"spawn to exec, us", {"small host", "host of " + size}, {}, {}};
  result.rows = {{"library", {spread_of(small), spread_of(large)}},
                 {"fork", {spread_of(fork_small), spread_of(fork_large)}}};
  result.targets.push_back(
    at_most("spawn from a host of " + size + ", in spawns from a small one",
            spread_of(ratios).median, ratio_max));
  return result;
}

} // namespace bench
