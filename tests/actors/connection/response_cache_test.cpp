#include "caf_mcp/actors/connection/response_cache.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace caf_mcp;
using namespace std::chrono_literals;

namespace {

const response_cache::clock::time_point start{};

payload result(std::int64_t ttl_ms, std::string_view content = "a") {
  return payload{boost::json::value{{"content", content},
                                    {"resultType", "complete"},
                                    {"ttlMs", ttl_ms},
                                    {"cacheScope", "private"}}};
}

payload uri(std::string_view text) {
  return payload{boost::json::value{{"uri", text}}};
}

} // namespace

TEST_CASE("a result is kept as long as the server says") {
  response_cache cache{10};
  CHECK_FALSE(cache.find("tools/list", {}, start));
  cache.add("tools/list", {}, result(100), start);
  CHECK(cache.find("tools/list", {}, start + 99ms) == result(100));
  CHECK_FALSE(cache.find("tools/list", {}, start + 100ms));
  CHECK(cache.size() == 0);
}

TEST_CASE("requests with other params have other results") {
  response_cache cache{10};
  cache.add("resources/read", uri("a"), result(100, "of a"), start);
  CHECK_FALSE(cache.find("resources/read", uri("b"), start));
  CHECK_FALSE(cache.find("resources/read", {}, start));
  CHECK(cache.find("resources/read", uri("a"), start) == result(100, "of a"));
}

TEST_CASE("what must not be kept is not") {
  response_cache cache{10};
  cache.add("tools/list", {}, result(0), start);
  cache.add("tools/list", {}, result(-5), start);
  cache.add("tools/list", {}, parse_payload("{}"), start);
  cache.add("tools/call", {}, result(100), start);
  cache.add("tools/list", parse_payload(R"({"_meta": {"x": 1}})"), result(100),
            start);
  cache.add("resources/read", uri("a"),
            parse_payload(R"({"resultType": "input_required", "ttlMs": 9})"),
            start);
  CHECK(cache.size() == 0);
  response_cache off{0};
  off.add("tools/list", {}, result(100), start);
  CHECK(off.size() == 0);
}

TEST_CASE("a change makes stale what it is about") {
  response_cache cache{10};
  auto fill = [&cache] {
    cache.add("tools/list", {}, result(100), start);
    cache.add("prompts/list", {}, result(100), start);
    cache.add("resources/list", {}, result(100), start);
    cache.add("resources/templates/list", {}, result(100), start);
    cache.add("resources/read", uri("demo://a"), result(100), start);
    cache.add("resources/read", uri("demo://b"), result(100), start);
  };
  fill();
  CHECK(cache.size() == 6);
  cache.on_event({event_kind::tools_changed, {}, {}});
  CHECK_FALSE(cache.find("tools/list", {}, start));
  CHECK(cache.size() == 5);
  cache.on_event({event_kind::resources_changed, {}, {}});
  CHECK(cache.size() == 3);
  cache.on_event({event_kind::resource_updated, "demo://a", {}});
  CHECK(cache.size() == 2);
  CHECK_FALSE(cache.find("resources/read", uri("demo://a"), start));
  cache.on_event({event_kind::log_message, {}, {}});
  CHECK(cache.size() == 2);
  cache.clear();
  CHECK(cache.size() == 0);
  fill();
  CHECK(cache.size() == 6);
}

TEST_CASE("the oldest result makes room") {
  response_cache cache{2};
  cache.add("resources/read", uri("a"), result(100), start);
  cache.add("resources/read", uri("b"), result(100), start);
  cache.add("resources/read", uri("a"), result(100, "again"), start);
  cache.add("resources/read", uri("c"), result(100), start);
  CHECK(cache.size() == 2);
  CHECK_FALSE(cache.find("resources/read", uri("b"), start));
  CHECK(cache.find("resources/read", uri("a"), start) == result(100, "again"));
}
