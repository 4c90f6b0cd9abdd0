#include "environment.hpp"

#include "caf_mcp/version.hpp"

#include <boost/version.hpp>
#include <caf/config.hpp>

#include <fstream>
#include <sys/utsname.h>
#include <thread>
#include <unistd.h>

namespace bench {

namespace {

std::string find_cpu() {
  std::ifstream lines{"/proc/cpuinfo"};
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("model name"))
      return line.substr(line.find(": ") + 2);
  return {};
}

std::size_t find_memory_mib() {
  const auto pages = static_cast<std::size_t>(::sysconf(_SC_PHYS_PAGES));
  const auto page_bytes = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  return pages * page_bytes / 1024 / 1024;
}

std::string find_kernel() {
  utsname found{};
  ::uname(&found);
  return std::string{found.sysname} + ' ' + found.release;
}

std::string version(int major, int minor, int patch) {
  return std::to_string(major) + '.' + std::to_string(minor) + '.'
         + std::to_string(patch);
}

#if defined(__clang__)
constexpr auto compiler = __VERSION__;
#else
constexpr auto compiler = "GCC " __VERSION__;
#endif

} // namespace

environment find_environment() {
  return {
    find_cpu(),
    std::thread::hardware_concurrency(),
    find_memory_mib(),
    find_kernel(),
    std::string{caf_mcp::version},
    version(CAF_VERSION / 10'000, CAF_VERSION / 100 % 100, CAF_VERSION % 100),
    version(BOOST_VERSION / 100'000, BOOST_VERSION / 100 % 1'000,
            BOOST_VERSION % 100),
    compiler};
}

} // namespace bench
