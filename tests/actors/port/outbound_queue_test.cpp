#include "caf_mcp/actors/port/outbound_queue.hpp"

#include <catch2/catch_test_macros.hpp>

#include <string>

using namespace caf_mcp;

namespace {

outgoing_request request(std::int64_t id, std::size_t bytes = 0) {
  return {id,
          "m",
          payload{boost::json::value{{"x", std::string(bytes, 'x')}}},
          {},
          false};
}

/// Takes all that is encoded, and what is encoded then.
std::string drain(outbound_queue& queue) {
  std::string result;
  while (!queue.view().empty()) {
    result += queue.view();
    queue.written(queue.view().size());
  }
  return result;
}

std::size_t count(const std::string& text, std::string_view what) {
  std::size_t result = 0;
  for (auto at = text.find(what); at != std::string::npos;
       at = text.find(what, at + 1))
    ++result;
  return result;
}

} // namespace

TEST_CASE("a queue encodes no more than its limit and one message") {
  outbound_queue queue{1000};
  for (auto id = 1; id <= 100; ++id)
    queue.push(request(id, 400));
  CHECK(queue.is_over_limit());
  CHECK(queue.view().size() < 2000);
}

TEST_CASE("what is beyond the limit follows in its order") {
  outbound_queue queue{1000};
  for (auto id = 1; id <= 20; ++id)
    queue.push(request(id, 300));
  const auto text = drain(queue);
  CHECK(queue.empty());
  CHECK_FALSE(queue.is_over_limit());
  CHECK(count(text, "\n") == 20);
  for (auto id = 1; id < 20; ++id)
    CHECK(text.find("\"id\":" + std::to_string(id) + ",")
          < text.find("\"id\":" + std::to_string(id + 1) + ","));
}

TEST_CASE("a later message does not overtake one that is held") {
  outbound_queue queue{1000};
  queue.push(request(1, 900));
  queue.push(request(2, 900));
  queue.push(request(3, 900));
  queue.written(queue.view().size()); // 3 is encoded, or 2 and 3 are
  queue.push(outgoing_notification{"last", {}});
  const auto text = drain(queue);
  CHECK(text.find("\"id\":3") < text.find("last"));
}

TEST_CASE("requests beyond the limit are unsent, too") {
  outbound_queue queue{1000};
  queue.push(request(1, 900));
  queue.push(outgoing_notification{"n", {}});
  for (auto id = 2; id <= 5; ++id)
    queue.push(request(id, 900));
  queue.written(1);
  CHECK(queue.unsent() == std::vector<std::int64_t>{2, 3, 4, 5});
}

TEST_CASE("a held request that cannot be encoded is refused in its turn") {
  outbound_queue queue{1000};
  queue.push(request(1, 900));
  queue.push(request(2, 900));
  queue.push(request(3, 5000));
  queue.push(
    outgoing_response{"7", payload{boost::json::value{{"x", "\xff"}}}});
  CHECK(queue.take_refused().empty());
  const auto text = drain(queue);
  const auto refused = queue.take_refused();
  REQUIRE(refused.size() == 1);
  CHECK(refused[0].id == 3);
  CHECK(refused[0].code == errc::message_too_large);
  CHECK(refused[0].detail == "params: longer than max_unwritten_bytes 1000");
  CHECK(text.find("-32603") != std::string::npos);
}
