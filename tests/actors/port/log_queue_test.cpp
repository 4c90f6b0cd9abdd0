#include "caf_mcp/actors/port/log_queue.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace caf_mcp;

namespace {

using lines = std::vector<std::string>;

} // namespace

TEST_CASE("output waits in its order until it is taken") {
  log_queue queue;
  CHECK(queue.empty());
  queue.add_stderr({"a", "b"});
  queue.add_junk({"?"});
  queue.add_stderr({"c"});
  CHECK_FALSE(queue.empty());
  auto taken = queue.take();
  CHECK(taken.stderr_lines == lines{"a", "b", "c"});
  CHECK(taken.junk_lines == lines{"?"});
  CHECK(taken.dropped == 0);
  CHECK(queue.empty());
}

TEST_CASE("what nobody takes is dropped from its old end, and counted") {
  log_queue queue;
  const std::size_t count = 100'000;
  for (std::size_t i = 0; i < count; ++i)
    queue.add_stderr({std::to_string(i)});
  auto taken = queue.take();
  CHECK(taken.dropped + taken.stderr_lines.size() == count);
  CHECK(taken.stderr_lines.size() < log_queue::bytes_max / 8);
  CHECK(taken.stderr_lines.back() == "99999");
  CHECK(taken.stderr_lines.front() == std::to_string(taken.dropped));
  queue.add_junk({"next"});
  CHECK(queue.take().dropped == 0);
}
