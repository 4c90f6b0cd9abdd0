#include "caf_mcp/actors/connection/subscriptions/event_buffer.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

using namespace caf_mcp;

namespace {

server_event updated(int number) {
  return {event_kind::resource_updated, "demo://" + std::to_string(number), {}};
}

server_event logged(std::string_view level) {
  return {
    event_kind::log_message, {}, payload{boost::json::value{{"level", level}}}};
}

listen_options options(std::uint64_t credit, std::uint32_t max_buffer = 100,
                       overflow_policy overflow
                       = overflow_policy::drop_oldest) {
  listen_options result;
  result.credit = credit;
  result.max_buffer = max_buffer;
  result.overflow = overflow;
  return result;
}

} // namespace

TEST_CASE("an event passes only against credit") {
  event_buffer buffer{options(1)};
  CHECK_FALSE(buffer.next());
  CHECK(buffer.push(updated(1)));
  CHECK(buffer.push(updated(2)));
  CHECK(buffer.next()->event.uri == "demo://1");
  CHECK_FALSE(buffer.next());
  buffer.grant(5);
  CHECK(buffer.next()->event.uri == "demo://2");
  CHECK_FALSE(buffer.next());
}

TEST_CASE("no grant makes credit overflow") {
  event_buffer buffer{options(1)};
  buffer.grant(~std::uint64_t{0});
  buffer.grant(~std::uint64_t{0});
  CHECK(buffer.push(updated(1)));
  CHECK(buffer.next());
}

TEST_CASE("equal changes that wait are one event") {
  event_buffer buffer{options(0)};
  for (auto i = 0; i < 1000; ++i) {
    CHECK(buffer.push({event_kind::tools_changed, {}, {}}));
    CHECK(buffer.push({event_kind::prompts_changed, {}, {}}));
    CHECK(buffer.push(updated(i % 3)));
  }
  CHECK(buffer.waiting() == 5);
  buffer.grant(1);
  CHECK(buffer.next()->event.kind == event_kind::tools_changed);
  CHECK(buffer.push({event_kind::tools_changed, {}, {}})); // a new one
  CHECK(buffer.waiting() == 5);
  CHECK(buffer.drop_all() == 5);
}

TEST_CASE("log messages are never merged") {
  event_buffer buffer{options(0)};
  CHECK(buffer.push(logged("info")));
  CHECK(buffer.push(logged("info")));
  CHECK(buffer.waiting() == 2);
}

TEST_CASE("of 10,000 events the newest stay, in order, and the rest is told") {
  event_buffer buffer{options(0)};
  for (auto i = 0; i < 10'000; ++i)
    CHECK(buffer.push(updated(i)));
  CHECK(buffer.waiting() == 100);
  buffer.grant(1000);
  for (auto i = 9'900; i < 10'000; ++i) {
    auto next = buffer.next();
    REQUIRE(next);
    CHECK(next->event.uri == updated(i).uri);
    CHECK(next->dropped == (i == 9'900 ? 9'900 : 0));
  }
  CHECK_FALSE(buffer.next());
  CHECK(buffer.drop_all() == 0);
}

TEST_CASE("of 10,000 events the oldest stay if the newest are to be dropped") {
  event_buffer buffer{options(1, 100, overflow_policy::drop_newest)};
  for (auto i = 0; i < 10'000; ++i)
    CHECK(buffer.push(updated(i)));
  auto first = buffer.next();
  REQUIRE(first);
  CHECK(first->event.uri == updated(0).uri);
  CHECK(first->dropped == 9'900);
  buffer.grant(1);
  CHECK(buffer.next()->event.uri == updated(1).uri);
  CHECK(buffer.drop_all() == 98);
}

TEST_CASE("a full buffer refuses if the subscription is to be closed") {
  event_buffer buffer{options(0, 2, overflow_policy::close)};
  CHECK(buffer.push(updated(1)));
  CHECK(buffer.push(updated(2)));
  CHECK(buffer.push(updated(2))); // merged: needs no room
  CHECK_FALSE(buffer.push(updated(3)));
}
