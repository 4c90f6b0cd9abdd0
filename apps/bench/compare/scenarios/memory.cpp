#include "memory.hpp"

#include "resident_memory.hpp"

namespace bench {

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
