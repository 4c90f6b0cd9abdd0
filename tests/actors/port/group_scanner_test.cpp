#include "caf_mcp/actors/port/group_scanner.hpp"

#include <catch2/catch_test_macros.hpp>

#include <atomic>
#include <future>
#include <thread>

using namespace caf_mcp;

namespace {

using kind = group_members::kind;

} // namespace

TEST_CASE(
  "all ends that wait share one scan of /proc, off the caller's thread") {
  std::atomic<int> scans = 0;
  std::thread::id scanned_by;
  std::promise<void> begun;
  std::promise<void> released;
  auto release = released.get_future().share();
  auto self = std::make_shared<group_scanner>(
    [&, release](const std::vector<pid_t>& pgids) {
      if (++scans == 1) {
        scanned_by = std::this_thread::get_id();
        begun.set_value();
        release.wait();
      }
      std::vector<group_members> result;
      for (auto pgid : pgids)
        result.push_back({kind::some, pgid + 1});
      return result;
    });
  std::promise<group_members> first;
  self->look(10, [&](group_members found) { first.set_value(found); });
  begun.get_future().wait();
  // These come while the first scan runs.
  std::vector<std::promise<group_members>> others(20);
  for (pid_t i = 0; i < 20; ++i)
    self->look(100 + i, [&others, i](group_members found) {
      others[static_cast<std::size_t>(i)].set_value(found);
    });
  released.set_value();
  CHECK(first.get_future().get() == group_members{kind::some, 11});
  for (pid_t i = 0; i < 20; ++i)
    CHECK(others[static_cast<std::size_t>(i)].get_future().get()
          == group_members{kind::some, 101 + i});
  CHECK(scans == 2);
  CHECK(scanned_by != std::this_thread::get_id());
  // Its thread has ended, or is about to: another look is not forgotten.
  std::promise<group_members> last;
  self->look(200, [&](group_members found) { last.set_value(found); });
  CHECK(last.get_future().get() == group_members{kind::some, 201});
  CHECK(scans == 3);
}
