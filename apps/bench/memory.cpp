#include "memory.hpp"

#include <fstream>
#include <unistd.h>

namespace bench {

namespace {

std::size_t resident_bytes() {
  std::size_t pages = 0;
  std::ifstream{"/proc/self/statm"} >> pages >> pages; // the second number
  return pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

} // namespace

memory_figures measure_memory(client& caller, const load& work) {
  memory_figures result;
  result.requests_first = work.requests / 10;
  result.requests_all = work.requests;
  caller.run({result.requests_first, work.in_flight});
  result.bytes_first = resident_bytes();
  caller.run({work.requests - result.requests_first, work.in_flight});
  result.bytes_all = resident_bytes();
  return result;
}

} // namespace bench
