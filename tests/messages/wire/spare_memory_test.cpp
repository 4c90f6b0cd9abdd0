#include "caf_mcp/messages/wire/spare_memory.hpp"

#include "caf_mcp/messages/wire/address_sanitizer.hpp"
#include "caf_mcp/messages/wire/large_memory.hpp"

#include "tests/support/wait_until.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <thread>
#include <utility>

namespace caf_mcp {

namespace {

constexpr std::size_t mib = std::size_t{1024} * 1024;

void use_large_memory() {
  free_memory(allocate_memory(8 * mib), 8 * mib);
}

} // namespace

TEST_CASE("memory of a large message is used again by the next one",
          "[spare_memory]") {
  if (is_address_sanitized)
    SKIP("nothing is kept under the address sanitizer");
  const spare_memory::trimmer trims;
  auto* first = static_cast<char*>(allocate_memory(8 * mib));
  first[5 * mib] = 'x';
  free_memory(first, 8 * mib);
  auto* second = static_cast<char*>(allocate_memory(8 * mib));
  CHECK(second[5 * mib] == 'x'); // fresh pages are zero
  free_memory(second, 8 * mib);
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
  if (is_address_sanitized)
    SKIP("nothing is kept under the address sanitizer");
  const spare_memory::trimmer trims;
  use_large_memory();
  const auto kept = spare_memory::take(8 * mib);
  CHECK(kept.data != nullptr);
  free_memory(kept.data, kept.bytes);
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

TEST_CASE("the spare memory that fits best is taken", "[spare_memory]") {
  if (is_address_sanitized)
    SKIP("nothing is kept under the address sanitizer");
  const spare_memory::trimmer trims;
  auto* small = allocate_memory(8 * mib);
  auto* large = allocate_memory(32 * mib);
  for (auto [wanted, expected] :
       {std::pair{4 * mib, 8 * mib}, std::pair{10 * mib, 32 * mib},
        std::pair{64 * mib, 32 * mib}}) {
    free_memory(small, 8 * mib);
    free_memory(large, 32 * mib);
    CHECK(spare_memory::take(wanted).bytes == expected);
    CHECK(spare_memory::take(wanted).bytes == 40 * mib - expected);
  }
  free_memory(small, 8 * mib);
  free_memory(large, 32 * mib);
}

TEST_CASE("two pieces of spare memory are kept at most", "[spare_memory]") {
  if (is_address_sanitized)
    SKIP("nothing is kept under the address sanitizer");
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
