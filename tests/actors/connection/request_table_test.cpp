#include "caf_mcp/actors/connection/request_table.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <map>
#include <random>

using namespace caf_mcp;
using namespace std::chrono_literals;

namespace {

using clock = request_table::clock;
using ids = std::vector<std::int64_t>;

constexpr clock::time_point start{1h};

pending_request request_until(clock::time_point deadline) {
  pending_request result;
  result.deadline = deadline;
  return result;
}

std::int64_t add(request_table& table, clock::time_point deadline = start,
                 request_owner* owner = nullptr) {
  return table.add(request_until(deadline), owner).id;
}

} // namespace

TEST_CASE("a request gets an id that no other request ever has") {
  request_table table;
  auto first = add(table);
  auto second = add(table);
  CHECK(first < second);
  table.take(first);
  table.take(second);
  CHECK(second < add(table));
}

TEST_CASE("a request is found until it is taken, and taken once") {
  request_table table;
  pending_request request;
  request.method = "tools/call";
  auto id = table.add(std::move(request), nullptr).id;
  REQUIRE(table.find(id) != nullptr);
  CHECK(table.find(id)->method == "tools/call");
  CHECK(table.find(id + 1) == nullptr);
  auto taken = table.take(id);
  REQUIRE(taken.has_value());
  CHECK(taken->id == id);
  CHECK(table.find(id) == nullptr);
  CHECK_FALSE(table.take(id).has_value());
  CHECK(table.empty());
}

TEST_CASE("all requests are taken oldest first and leave nothing behind") {
  request_table table;
  request_owner owner;
  ids added;
  for (auto i = 0; i < 100; ++i)
    added.push_back(add(table, start + std::chrono::seconds{i % 7}, &owner));
  ids taken;
  for (const auto& request : table.take_all())
    taken.push_back(request.id);
  CHECK(taken == added);
  CHECK(table.empty());
  CHECK(owner.first == nullptr);
  CHECK_FALSE(table.next_deadline().has_value());
}

TEST_CASE("the next deadline is the earliest, in whatever order they came") {
  request_table table;
  CHECK_FALSE(table.next_deadline().has_value());
  add(table, start + 2s);
  auto earliest = add(table, start + 1s);
  add(table, start + 3s);
  CHECK(table.next_deadline() == start + 1s);
  table.take(earliest);
  CHECK(table.next_deadline() == start + 2s);
}

TEST_CASE("a request is overdue from its deadline on") {
  request_table table;
  auto late = add(table, start + 2s);
  auto soon = add(table, start + 1s);
  add(table, clock::time_point::max());
  CHECK(table.overdue(start).empty());
  CHECK(table.overdue(start + 1s) == ids{soon});
  CHECK(table.overdue(start + 1h) == ids{soon, late});
}

TEST_CASE("deadlines of one millisecond are one, and never early") {
  request_table table;
  auto a = add(table, start - 999'999ns);
  auto b = add(table, start);
  auto c = add(table, start - 1ns);
  add(table, start + 1ns);
  CHECK(table.next_deadline() == start);
  CHECK(table.overdue(start - 1ns).empty());
  CHECK(table.overdue(start) == ids{a, b, c});
  table.take(b);
  CHECK(table.overdue(start) == ids{a, c});
  table.take(a);
  table.take(c);
  CHECK(table.next_deadline() == start + 1ms);
}

TEST_CASE("the latest deadline there is never comes") {
  request_table table;
  auto a = add(table, clock::time_point::max());
  auto b = add(table, clock::time_point::max() - 1ns);
  CHECK(table.next_deadline() == clock::time_point::max());
  CHECK(table.overdue(clock::time_point::max() - 1ms).empty());
  table.take(a);
  table.take(b);
  CHECK_FALSE(table.next_deadline().has_value());
}

TEST_CASE("a deadline that moves leaves the old one behind") {
  request_table table;
  auto& moved = table.add(request_until(start + 1s), nullptr);
  auto other = add(table, start + 2s);
  table.set_deadline(moved, start + 3s);
  CHECK(table.next_deadline() == start + 2s);
  CHECK(table.overdue(start + 2s) == ids{other});
  table.set_deadline(moved, start);
  CHECK(table.next_deadline() == start);
  table.take(moved.id);
  CHECK(table.overdue(start + 1h) == ids{other});
}

TEST_CASE("an owner has its own requests, newest first") {
  request_table table;
  request_owner one;
  request_owner other;
  auto a = add(table, start, &one);
  auto b = add(table, start, &other);
  add(table, start, nullptr);
  auto c = add(table, start, &one);
  CHECK(request_table::ids_of(one) == ids{c, a});
  CHECK(request_table::ids_of(other) == ids{b});
}

TEST_CASE("taking one request of an owner keeps its others") {
  request_table table;
  request_owner owner;
  auto a = add(table, start, &owner);
  auto b = add(table, start, &owner);
  auto c = add(table, start, &owner);
  SECTION("the oldest") {
    table.take(a);
    CHECK(request_table::ids_of(owner) == ids{c, b});
  }
  SECTION("one between") {
    table.take(b);
    CHECK(request_table::ids_of(owner) == ids{c, a});
  }
  SECTION("the newest") {
    table.take(c);
    CHECK(request_table::ids_of(owner) == ids{b, a});
  }
}

TEST_CASE("a table agrees with a simple one over many steps") {
  struct simple_request {
    clock::time_point deadline;
    std::size_t owner;
  };
  request_table table;
  std::array<request_owner, 3> owners;
  std::map<std::int64_t, simple_request> simple;
  std::minstd_rand random{42};
  auto below = [&](std::uint32_t end) { return random() % end; };
  auto any_id = [&] {
    auto at = simple.begin();
    std::advance(at, below(static_cast<std::uint32_t>(simple.size())));
    return at->first;
  };
  auto any_deadline = [&] { return start + std::chrono::seconds{below(50)}; };
  for (auto step = 0; step < 5000; ++step) {
    auto choice = simple.empty() ? 0 : below(5);
    if (choice < 2) {
      simple_request added{any_deadline(), below(4)};
      auto* owner = added.owner < 3 ? &owners.at(added.owner) : nullptr;
      simple.emplace(add(table, added.deadline, owner), added);
    } else if (choice < 4) {
      auto id = any_id();
      REQUIRE(table.take(id)->deadline == simple.at(id).deadline);
      simple.erase(id);
    } else {
      auto id = any_id();
      simple.at(id).deadline = any_deadline();
      table.set_deadline(*table.find(id), simple.at(id).deadline);
    }
    ids all;
    ids overdue;
    std::array<ids, 3> owned;
    auto earliest = clock::time_point::max();
    for (const auto& [id, request] : simple) {
      all.push_back(id);
      earliest = std::min(earliest, request.deadline);
      if (request.deadline <= start + 25s)
        overdue.push_back(id);
      if (request.owner < 3)
        owned.at(request.owner).insert(owned.at(request.owner).begin(), id);
    }
    REQUIRE(table.ids() == all);
    REQUIRE(table.next_deadline().value_or(clock::time_point::max())
            == earliest);
    auto found = table.overdue(start + 25s);
    std::sort(found.begin(), found.end());
    REQUIRE(found == overdue);
    for (std::size_t i = 0; i < owners.size(); ++i)
      REQUIRE(request_table::ids_of(owners.at(i)) == owned.at(i));
  }
}
