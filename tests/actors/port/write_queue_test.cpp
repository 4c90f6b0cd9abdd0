#include "caf_mcp/actors/port/write_queue.hpp"

#include <catch2/catch_test_macros.hpp>

#include <cmath>
#include <limits>
#include <random>
#include <string>

using namespace caf_mcp;

namespace {

using ids = std::vector<std::int64_t>;

constexpr auto no_limit = std::numeric_limits<std::size_t>::max();

outgoing_request request(std::int64_t id, std::string_view text = "") {
  outgoing_request result;
  result.id = id;
  result.method = "m";
  result.params = payload{boost::json::value{{"text", text}}};
  return result;
}

/// Queues a message and returns how many bytes its line has.
std::size_t push(write_queue& queue, const outgoing_message& message) {
  auto before = queue.size();
  REQUIRE(queue.push(message, no_limit) == push_result::queued);
  return queue.size() - before;
}

} // namespace

TEST_CASE("messages wait as lines in their order") {
  write_queue queue;
  CHECK(queue.empty());
  push(queue, outgoing_request{1, "a", {}, {}, false});
  push(queue, outgoing_notification{"b", {}});
  push(queue, outgoing_response{"\"x\"", payload{}});
  CHECK(queue.view()
        == R"({"jsonrpc":"2.0","id":1,"method":"a"})"
           "\n"
           R"({"jsonrpc":"2.0","method":"b"})"
           "\n"
           R"({"jsonrpc":"2.0","id":"x","result":{}})"
           "\n");
}

TEST_CASE("what was written is gone from the front") {
  write_queue queue;
  auto size = push(queue, request(1));
  auto all = std::string{queue.view()};
  queue.written(10);
  CHECK(queue.view() == all.substr(10));
  CHECK(queue.size() == size - 10);
  queue.written(size - 10);
  CHECK(queue.empty());
}

TEST_CASE("a request is unsent until its first byte is written") {
  write_queue queue;
  auto first = push(queue, request(7));
  push(queue, outgoing_notification{"n", {}});
  auto notification = queue.size() - first;
  auto second = push(queue, request(8));
  CHECK(queue.unsent() == ids{7, 8});
  queue.written(0);
  CHECK(queue.unsent() == ids{7, 8});
  queue.written(1);
  CHECK(queue.unsent() == ids{8});
  queue.written(first - 1);
  CHECK(queue.unsent() == ids{8});
  queue.written(notification);
  CHECK(queue.unsent() == ids{8});
  queue.written(1);
  CHECK(queue.unsent().empty());
  queue.written(second - 1);
  CHECK(queue.empty());
  push(queue, request(9));
  CHECK(queue.unsent() == ids{9});
}

TEST_CASE("one write may take many requests and a part of another") {
  write_queue queue;
  std::size_t bytes = 0;
  for (auto id = 1; id <= 5; ++id)
    bytes += push(queue, request(id));
  push(queue, request(6));
  push(queue, request(7));
  SECTION("up to the end of one") {
    queue.written(bytes);
    CHECK(queue.unsent() == ids{6, 7});
  }
  SECTION("into the next") {
    queue.written(bytes + 1);
    CHECK(queue.unsent() == ids{7});
  }
}

TEST_CASE("a line that is too long is not queued") {
  auto line = [] {
    write_queue probe;
    return push(probe, request(2, "abc"));
  }();
  write_queue queue;
  push(queue, request(1));
  auto before = std::string{queue.view()};
  CHECK(queue.push(request(2, "abc"), line - 1) == push_result::too_large);
  CHECK(queue.view() == before);
  CHECK(queue.unsent() == ids{1});
  CHECK(queue.push(request(2, "abc"), line) == push_result::queued);
  CHECK(queue.unsent() == ids{1, 2});
}

TEST_CASE("a message that is not UTF-8 is not queued") {
  write_queue queue;
  push(queue, request(1));
  auto before = std::string{queue.view()};
  CHECK(queue.push(request(2, "\xff"), no_limit) == push_result::not_utf8);
  CHECK(queue.push(outgoing_notification{"\xc3\x28", {}}, no_limit)
        == push_result::not_utf8);
  CHECK(queue.view() == before);
  CHECK(queue.unsent() == ids{1});
}

TEST_CASE("a number that JSON cannot express is not queued") {
  write_queue queue;
  payload params{boost::json::value{{"x", std::nan("")}}};
  CHECK(queue.push(outgoing_notification{"a", params}, no_limit)
        == push_result::not_finite);
  CHECK(queue.empty());
}

TEST_CASE("a refusal says what to mend") {
  CHECK(explain(push_result::not_utf8, 9).detail
        == "every string must be valid UTF-8");
  CHECK(explain(push_result::not_finite, 9).code == errc::config_invalid);
  auto too_large = explain(push_result::too_large, 9);
  CHECK(too_large.code == errc::message_too_large);
  CHECK(too_large.detail == "longer than max_unwritten_bytes 9");
}

TEST_CASE("the unsent are right whatever each write takes") {
  std::minstd_rand random{7};
  write_queue queue;
  std::string expected;
  std::string written;
  std::vector<std::pair<std::int64_t, std::size_t>> starts;
  for (auto step = 0; step < 2000; ++step) {
    if (random() % 2 == 0) {
      auto id = static_cast<std::int64_t>(step);
      starts.emplace_back(id, expected.size());
      auto size = push(queue, request(id, std::string(random() % 200, 'x')));
      expected += queue.view().substr(queue.size() - size);
    } else if (!queue.empty()) {
      auto count = random() % (queue.size() + 1);
      written += queue.view().substr(0, count);
      queue.written(count);
    }
    ids unsent;
    for (const auto& [id, start] : starts)
      if (start >= written.size())
        unsent.push_back(id);
    REQUIRE(queue.unsent() == unsent);
  }
  CHECK(written + std::string{queue.view()} == expected);
}
