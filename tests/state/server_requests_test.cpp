#include "caf_mcp/actors/state/server_requests.hpp"

#include <catch2/catch_test_macros.hpp>

using caf_mcp::parse_payload;
using caf_mcp::server_requests;

TEST_CASE("a request of the server is answered under the id it came with") {
  server_requests requests{2};
  auto first = requests.add(R"("\u0061")");
  auto second = requests.add("7");
  CHECK(requests.is_full());
  CHECK(requests.finish(second) == "7");
  CHECK(requests.finish(first) == R"("\u0061")");
  CHECK(requests.size() == 0);
}

TEST_CASE("a request of the server is answered once") {
  server_requests requests{2};
  auto number = requests.add("1");
  REQUIRE(requests.finish(number));
  CHECK_FALSE(requests.finish(number));
}

TEST_CASE("an id is known in all spellings of its string, and by its type") {
  server_requests requests{9};
  requests.add(R"("\u0061")");
  CHECK(requests.contains(R"("a")"));
  requests.add("7");
  CHECK(requests.contains("7"));
  CHECK_FALSE(requests.contains(R"("7")"));
}

TEST_CASE("ids beyond 64 bits are not confused") {
  server_requests requests{9};
  requests.add("18446744073709551616");
  CHECK_FALSE(requests.contains("18446744073709551617"));
}

TEST_CASE("a cancelled request is not answered, and its id is free") {
  server_requests requests{9};
  auto cancelled = requests.add(R"("a")");
  requests.cancel(parse_payload(R"("a")"));
  CHECK_FALSE(requests.contains(R"("a")"));
  auto next = requests.add(R"("a")");
  CHECK_FALSE(requests.finish(cancelled));
  CHECK(requests.finish(next) == R"("a")");
}

TEST_CASE("a cancellation of what is not there is ignored") {
  server_requests requests{9};
  auto number = requests.add("7");
  requests.cancel(parse_payload(R"("7")"));
  requests.cancel(parse_payload("8"));
  requests.cancel({});
  CHECK(requests.finish(number) == "7");
}

TEST_CASE("a lost server is owed no answer") {
  server_requests requests{1};
  auto number = requests.add("7");
  requests.clear();
  CHECK_FALSE(requests.is_full());
  CHECK_FALSE(requests.finish(number));
  auto next = requests.add("7");
  CHECK(next != number);
}
