#include "caf_mcp/actors/hub/catalogue_watch.hpp"

#include "caf_mcp/actors/hub/list_refresh.hpp"
#include "caf_mcp/messages/error_info.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace caf_mcp;

namespace {

catalogue_offer offer(std::string_view tools) {
  server_status ready;
  ready.name = "a";
  ready.state = server_state::ready;
  catalogue all;
  for (auto kind : catalogue_kinds)
    all.put(all.begin("a", kind),
            parse_payload(kind == list_kind::tools ? tools : "[]"));
  return all.offer_of(ready);
}

/// Renders what is told as `a: +tools a/t {...}; ...`.
std::string told(const std::optional<catalogue_changed>& message) {
  if (!message)
    return "nothing";
  std::string result;
  for (const auto& server : message->servers) {
    result += server.server;
    result += server.is_gone ? " gone:" : server.is_stale ? " stale:" : ":";
    if (server.error)
      result += " " + describe(server.error).name;
    for (const auto& each : server.items) {
      constexpr std::string_view signs{"+~-"};
      result += ' ';
      result += signs.at(static_cast<std::size_t>(each.what));
      result += each.name + each.item.to_json();
    }
    result += ';';
  }
  return result;
}

} // namespace

TEST_CASE("a watcher is told all at first, and then what has changed",
          "[catalogue_watch]") {
  catalogue_watch watch;
  CHECK(told(watch.next(
          {{"a", offer(R"([{"name":"t"},{"name":"u"}])")}, {"b", offer("[]")}}))
        == R"(a: +a/t{"name":"a/t"} +a/u{"name":"a/u"};b:;)");
  watch.on_taken();
  CHECK(told(watch.next({{"a", offer(R"([{"name":"u","n":1},{"name":"v"}])")},
                         {"b", offer("[]")}}))
        == R"(a: ~a/u{"name":"a/u","n":1} +a/v{"name":"a/v"} -a/t;)");
}

TEST_CASE("who watches a hub without servers is told so", "[catalogue_watch]") {
  catalogue_watch watch;
  CHECK(told(watch.next({})).empty());
  watch.on_taken();
  CHECK(told(watch.next({})) == "nothing");
}

TEST_CASE("each change is told once", "[catalogue_watch]") {
  catalogue_watch watch;
  const catalogue_offers now{{"a", offer(R"([{"name":"t"}])")}};
  watch.next(now);
  watch.on_taken();
  CHECK(told(watch.next(now)) == "nothing");
  // Listed anew, the same.
  CHECK(told(watch.next({{"a", offer(R"([{"name":"t"}])")}})) == "nothing");
}

TEST_CASE("changes of digits beyond a double are changes",
          "[catalogue_watch]") {
  catalogue_watch watch;
  watch.next({{"a", offer(R"([{"name":"t","n":100000000000000000000001}])")}});
  watch.on_taken();
  CHECK(told(watch.next(
          {{"a", offer(R"([{"name":"t","n":100000000000000000000002}])")}}))
        == R"(a: ~a/t{"name":"a/t","n":100000000000000000000002};)");
}

TEST_CASE("a watcher that does not keep up is told in one what has changed "
          "meanwhile",
          "[catalogue_watch]") {
  catalogue_watch watch;
  watch.next({{"a", offer(R"([{"name":"t"}])")}});
  for (auto i = 0; i < 1000; ++i)
    CHECK_FALSE(watch.next(
      {{"a", offer(R"([{"name":"t)" + std::to_string(i) + R"("}])")}}));
  watch.on_taken();
  CHECK(told(watch.next({{"a", offer(R"([{"name":"t999"}])")}}))
        == R"(a: +a/t999{"name":"a/t999"} -a/t;)");
  watch.on_taken();
  CHECK(told(watch.next({{"a", offer(R"([{"name":"t999"}])")}})) == "nothing");
}

TEST_CASE("a watcher is told of errors, and of servers that are gone",
          "[catalogue_watch]") {
  catalogue_watch watch;
  auto known = offer(R"([{"name":"t"}])");
  watch.next({{"a", known}});
  watch.on_taken();
  known.is_stale = true;
  known.error = local_error(errc::request_timeout, "no answer");
  CHECK(told(watch.next({{"a", known}})) == "a stale: request_timeout;");
  watch.on_taken();
  CHECK(told(watch.next({{"a", known}})) == "nothing");
  CHECK(told(watch.next({})) == "a gone: -a/t;");
}

TEST_CASE("of two things of one name, a watcher is told of the first",
          "[catalogue_watch]") {
  catalogue_watch watch;
  CHECK(told(watch.next({{"a", offer(R"([{"name":"t","n":1},{"name":"t"}])")}}))
        == R"(a: +a/t{"name":"a/t","n":1};)");
}

TEST_CASE("a list that changes often is asked for one at a time",
          "[list_refresh]") {
  list_refresh lists;
  CHECK(lists.on_changed(list_kind::tools));
  for (auto i = 0; i < 1000; ++i)
    CHECK_FALSE(lists.on_changed(list_kind::tools));
  CHECK(lists.on_changed(list_kind::prompts));
  CHECK(lists.on_answer(list_kind::tools));
  CHECK_FALSE(lists.on_answer(list_kind::tools));
  CHECK_FALSE(lists.on_answer(list_kind::prompts));
}
