#include "resident_memory.hpp"

#include <fstream>
#include <limits>
#include <malloc.h>
#include <string>

namespace bench {

namespace {

/// Reads a line of status (proc_pid_status(5)) that is given in kB.
std::size_t read_status(const std::string& wanted) {
  std::ifstream file{"/proc/self/status"};
  std::string name;
  while (file >> name) {
    if (name == wanted) {
      std::size_t kib = 0;
      file >> kib;
      return kib * 1024;
    }
    file.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  }
  return 0;
}

} // namespace

std::size_t resident_bytes() {
  return read_status("VmRSS:");
}

std::size_t start_of_peak() {
  ::malloc_trim(0);
  std::ofstream{"/proc/self/clear_refs"} << 5; // proc_pid_clear_refs(5)
  return resident_bytes();
}

std::size_t peak_bytes() {
  return read_status("VmHWM:");
}

} // namespace bench
