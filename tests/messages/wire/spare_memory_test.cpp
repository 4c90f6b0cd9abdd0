#include "caf_mcp/messages/wire/spare_memory.hpp"

#include "caf_mcp/messages/wire/large_memory.hpp"

#include "tests/support/wait_until.hpp"

#include <catch2/catch_test_macros.hpp>

#include <chrono>
#include <cstddef>
#include <optional>
#include <thread>

namespace caf_mcp {

namespace {

constexpr std::size_t mib = std::size_t{1024} * 1024;

/// Runs a function in a thread that trims, as that of a loop does. The
/// assertions of a test belong into its own thread.
template <class Function>
void in_trimming_thread(Function run) {
  std::thread{[&run] {
    spare_memory::this_thread_trims();
    run();
  }}.join();
}

bool nothing_is_kept() {
  return tests::wait_until([] { return !spare_memory::time_left(); });
}

} // namespace

TEST_CASE("memory of a large message is used again by the next one",
          "[spare_memory]") {
  REQUIRE(nothing_is_kept());
  void* first = nullptr;
  void* second = nullptr;
  in_trimming_thread([&] {
    first = allocate_memory(8 * mib);
    free_memory(first, 8 * mib);
    second = allocate_memory(8 * mib);
    free_memory(second, 8 * mib);
  });
  CHECK(first == second);
  CHECK(nothing_is_kept());
}

TEST_CASE("spare memory becomes as large or as small as what is wanted",
          "[spare_memory]") {
  REQUIRE(nothing_is_kept());
  auto is_whole = true;
  in_trimming_thread([&] {
    for (auto bytes : {8 * mib, 30 * mib, 5 * mib, 64 * mib}) {
      auto* memory = static_cast<char*>(allocate_memory(bytes));
      for (std::size_t at = 0; at < bytes; at += 4096)
        memory[at] = 'x';
      is_whole = is_whole && memory[bytes - 4096] == 'x';
      free_memory(memory, bytes);
    }
  });
  CHECK(is_whole);
  CHECK(nothing_is_kept());
}

TEST_CASE("spare memory is given back a second after its last use",
          "[spare_memory]") {
  REQUIRE(nothing_is_kept());
  std::optional<std::chrono::steady_clock::duration> left;
  in_trimming_thread([&] {
    free_memory(allocate_memory(8 * mib), 8 * mib);
    left = spare_memory::time_left();
  });
  REQUIRE(left);
  CHECK(*left <= std::chrono::seconds{1});
  REQUIRE(nothing_is_kept());
  CHECK(spare_memory::take(8 * mib).data == nullptr);
}

TEST_CASE("no spare memory is kept where no thread trims", "[spare_memory]") {
  REQUIRE(nothing_is_kept());
  free_memory(allocate_memory(8 * mib), 8 * mib);
  CHECK_FALSE(spare_memory::time_left());
  CHECK(spare_memory::take(8 * mib).data == nullptr);
}

TEST_CASE("two pieces of spare memory are kept at most", "[spare_memory]") {
  REQUIRE(nothing_is_kept());
  auto kept = 0;
  in_trimming_thread([&] {
    void* all[3];
    for (auto*& each : all)
      each = allocate_memory(8 * mib);
    for (auto* each : all)
      free_memory(each, 8 * mib);
    for (auto& each : all) {
      const auto spare = spare_memory::take(8 * mib);
      each = spare.data;
      kept += each == nullptr ? 0 : 1;
    }
    for (auto* each : all)
      if (each != nullptr)
        free_memory(each, 8 * mib);
  });
  CHECK(kept == 2);
  CHECK(nothing_is_kept());
}

} // namespace caf_mcp
