#include "caf_mcp/messages/wire/spare_memory.hpp"

#include "caf_mcp/messages/wire/large_memory.hpp"

#include "tests/support/wait_until.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <thread>

namespace caf_mcp {

namespace {

constexpr std::size_t mib = std::size_t{1024} * 1024;

void use_large_memory() {
  free_memory(allocate_memory(8 * mib), 8 * mib);
}

} // namespace

TEST_CASE("memory of a large message is used again by the next one",
          "[spare_memory]") {
  const spare_memory::trimmer trims;
  auto* first = allocate_memory(8 * mib);
  free_memory(first, 8 * mib);
  auto* second = allocate_memory(8 * mib);
  free_memory(second, 8 * mib);
  CHECK(first == second);
}

TEST_CASE("spare memory becomes as large or as small as what is wanted",
          "[spare_memory]") {
  const spare_memory::trimmer trims;
  for (auto bytes : {8 * mib, 30 * mib, 5 * mib, 64 * mib}) {
    auto* memory = static_cast<char*>(allocate_memory(bytes));
    std::fill_n(memory, bytes, 'x');
    CHECK(std::count(memory, memory + bytes, 'x')
          == static_cast<std::ptrdiff_t>(bytes));
    free_memory(memory, bytes);
  }
}

TEST_CASE("spare memory is given back a second after its last use",
          "[spare_memory]") {
  const spare_memory::trimmer trims;
  use_large_memory();
  const auto left = spare_memory::time_left();
  REQUIRE(left);
  CHECK(*left <= std::chrono::seconds{1});
  REQUIRE(tests::wait_until([] { return !spare_memory::time_left(); }));
  CHECK(spare_memory::take(8 * mib).data == nullptr);
}

TEST_CASE("spare memory is given back when the thread that trims ends",
          "[spare_memory]") {
  std::thread{[] {
    const spare_memory::trimmer trims;
    use_large_memory();
  }}.join();
  CHECK_FALSE(spare_memory::time_left());
  CHECK(spare_memory::take(8 * mib).data == nullptr);
  use_large_memory();
  CHECK(spare_memory::take(8 * mib).data == nullptr);
}

TEST_CASE("no spare memory is kept where no thread trims", "[spare_memory]") {
  use_large_memory();
  CHECK_FALSE(spare_memory::time_left());
  CHECK(spare_memory::take(8 * mib).data == nullptr);
}

TEST_CASE("two pieces of spare memory are kept at most", "[spare_memory]") {
  const spare_memory::trimmer trims;
  std::array<void*, 3> all{};
  for (auto*& each : all)
    each = allocate_memory(8 * mib);
  for (auto* each : all)
    free_memory(each, 8 * mib);
  const auto first = spare_memory::take(8 * mib);
  const auto second = spare_memory::take(8 * mib);
  CHECK(first.data != nullptr);
  CHECK(second.data != nullptr);
  CHECK(spare_memory::take(8 * mib).data == nullptr);
  free_memory(first.data, first.bytes);
  free_memory(second.data, second.bytes);
}

} // namespace caf_mcp
